// Where Python is, in a line: not started, fetching with its bytes, live, or failed with the
// cause and Retry; and whose code of a file it runs.

import { codeInUse } from "./code_in_use.js";
import { sparesConnection } from "./connection.js";
import { EditedCode } from "./edited_code.jsx";
import { megabytes } from "./megabytes.js";
import { startNow } from "./start_policy.js";

/** @typedef {import("./types").PythonStatus} PythonStatus */

const RUNNING = "Python is running in this tab.";
const SILENT = "Python gives no answer. If it stays silent, it is started anew.";

/**
 * @typedef {object} Props
 * @property {string} file of specdec: what runs
 * @property {PythonStatus} status
 * @property {string} notice
 * @property {string} error
 * @property {boolean} showsRun whether there is a run on the screen all the same
 * @property {() => void} onRetry
 */

/** @param {Props} props */
export function PythonNote(props) {
  const { status } = props.status;
  if (status === "failed") return <Failed {...props} />;
  if (status === "live") return <Live {...props} />;
  if (status === "idle" && sparesConnection()) return <Waiting />;
  return <Booting {...props} />;
}

/** @param {Props} props */
function Failed({ status: { failure, message }, showsRun, onRetry }) {
  return (
    <div class="python-note failed" role="alert">
      <p>
        <b>{failure}</b>: {message}.{" "}
        {showsRun
          ? "The run on the screen stays; going on needs Python."
          : "The run of this address needs Python."}{" "}
        The rest of the page does not.
      </p>
      <Retry onRetry={onRetry} />
    </div>
  );
}

/** @param {Props} props */
function Live({ file, status: { late, busy, lost }, notice, error }) {
  // What a reader's code did wrong is said once, by EditedCode.
  const saidElsewhere = !error || error === codeInUse(file).problem?.message;
  const anew = lost && `It stopped (${lost}) and was started anew; the run goes on from where it was.`;
  const state = notice || (late && !busy ? SILENT : `${RUNNING} ${anew}`);
  return (
    <div class="python-note" role="status">
      <p>{saidElsewhere ? state : <b>{error}</b>}</p>
      <EditedCode file={file} withRestore />
    </div>
  );
}

function Waiting() {
  return (
    <div class="python-note" role="status">
      <p>
        Python has not been started, to spare your connection: it is some megabytes. It starts when
        you use a control, or now:
      </p>
      <button type="button" onClick={startNow}>
        Start Python
      </button>
    </div>
  );
}

/** @param {Props} props */
function Booting({ status, showsRun, onRetry }) {
  const { stage, loadedBytes, totalBytes, slow, lost } = status;
  return (
    <div class="python-note" role="status">
      <p>
        {lost && `Python stopped (${lost}) and is started anew. `}
        {stage || "Python starts in a moment"}.{" "}
        {slow
          ? "This is taking longer than usual: a slow connection? It goes on by itself."
          : meanwhile(lost, showsRun)}
      </p>
      {totalBytes > 0 && (
        <p aria-hidden="true">{megabytes(status)}</p>
      )}
      <progress value={loadedBytes} max={totalBytes || 1} aria-label="Fetching Python" />
      {slow && <Retry onRetry={onRetry} />}
    </div>
  );
}

/**
 * @param {string} lost
 * @param {boolean} showsRun
 */
function meanwhile(lost, showsRun) {
  if (lost) return "The run on the screen goes on then.";
  return showsRun
    ? "Meanwhile: a run made when this page was built."
    : "Then the run of this address is replayed.";
}

/** @param {{onRetry: () => void}} props */
function Retry({ onRetry }) {
  return (
    <button type="button" onClick={onRetry}>
      Retry
    </button>
  );
}
