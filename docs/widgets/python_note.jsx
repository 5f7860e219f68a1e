// Where Python is, in a line: fetching with its bytes, live, or failed with the cause and Retry;
// and whose code it runs.

import { codeInUse } from "./code_in_use.js";
import { EditedCode } from "./edited_code.jsx";
import { megabytes } from "./megabytes.js";

/** @typedef {import("./types").PythonStatus} PythonStatus */

const RUNNING = "Python is running in this tab.";

/**
 * @param {{status: PythonStatus, notice: string, error: string, showsRun: boolean,
 *   onRetry: () => void}} props showsRun: whether there is a run on the screen all the same
 */
export function PythonNote({ status, notice, error, showsRun, onRetry }) {
  const { stage, loadedBytes, totalBytes, slow, message } = status;
  const retry = (
    <button type="button" onClick={onRetry}>
      Retry
    </button>
  );
  if (status.status === "failed") {
    return (
      <div class="python-note failed" role="alert">
        <p>
          <b>Python could not start.</b> {message}.{" "}
          {showsRun
            ? "The run on the screen stays; going on needs Python."
            : "The run of this address needs Python."}{" "}
          The rest of the page does not.
        </p>
        {retry}
      </div>
    );
  }
  if (status.status === "live") {
    // What a reader's code did wrong is said once, by EditedCode.
    const saidElsewhere = !error || error === codeInUse.problem?.message;
    return (
      <div class="python-note" role="status">
        <p>{saidElsewhere ? notice || RUNNING : <b>{error}</b>}</p>
        <EditedCode withRestore />
      </div>
    );
  }
  return (
    <div class="python-note" role="status">
      <p>
        {stage || "Python has not been started"}.{" "}
        {slow
          ? "This is taking longer than usual: a slow connection? It goes on by itself."
          : showsRun
            ? "Meanwhile: a run made when this page was built."
            : "Then the run of this address is replayed."}
      </p>
      {totalBytes > 0 && (
        <p aria-hidden="true">{megabytes(status)}</p>
      )}
      <progress value={loadedBytes} max={totalBytes || 1} aria-label="Fetching Python" />
      {slow && retry}
    </div>
  );
}
