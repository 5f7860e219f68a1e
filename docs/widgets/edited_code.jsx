// Whether a reader's code of a file is in force, why it is not any more, and Stop when it never answers.

import { codeInUse } from "./code_in_use.js";
import { megabytes } from "./megabytes.js";
import { python } from "./python.js";
import { useChanges } from "./use_changes.js";

/**
 * One sentence and the buttons that go with it; nothing while all is well.
 *
 * @param {{file: string, withRestore?: boolean}} props withRestore: whether it also says that
 *   edited code is in force, and offers to restore the original: where nothing else does
 */
export function EditedCode({ file, withRestore = false }) {
  const code = codeInUse(file);
  useChanges(code, python);
  const { edited, problem, applying } = code;
  const { stage } = python.status;
  const restore = withRestore && (
    <button type="button" onClick={() => code.restore()}>
      Restore the original
    </button>
  );
  if (python.status.busy) {
    return (
      <p class="edited-code" data-state="busy">
        Your code has given no answer for a while.{" "}
        <button type="button" onClick={() => code.stop()}>
          Stop it
        </button>
      </p>
    );
  }
  if (applying) {
    return (
      <p class="edited-code" data-state="applying">
        {stage || "Taking in your code"} …{" "}
        {stage && <span aria-hidden="true">{megabytes(python.status)}</span>}
      </p>
    );
  }
  if (problem) {
    return (
      <p class="edited-code" data-state="problem">
        <b>Your code is not in force.</b> {sentence(problem)} The playground goes on with{" "}
        {edited ? "your code from before." : "the original."} {edited && restore}
      </p>
    );
  }
  if (!edited || !withRestore) return null;
  return (
    <p class="edited-code" data-state="edited">
      It runs <b>your edited code</b>. {restore}
    </p>
  );
}

/** @param {{message: string, line: number | null}} problem */
export const sentence = ({ message, line }) =>
  `${line === null ? "" : `Line ${line}: `}${message}${/[.!?]$/.test(message) ? "" : "."}`;
