// After the answers: the running evidence watches the changed code, and it can be put in force.

import { useState } from "preact/hooks";
import { codeInUse } from "./code_in_use.js";
import { EvidenceWatch } from "./evidence_watch.jsx";
import { mistakeInForce } from "./mistake_in_force.js";
import { mistakeQuiz } from "./mistake_quiz.js";
import { describe } from "./python_errors.js";
import { useChanges } from "./use_changes.js";

const code = codeInUse("speculative.py");

/** @param {{name: string}} props */
export function MistakeAftermath({ name }) {
  return (
    <>
      <EvidenceWatch name={name} changes={mistakeQuiz.truth(name).changes} />
      <Application name={name} />
    </>
  );
}

/** @param {{name: string}} props */
function Application({ name }) {
  useChanges(mistakeInForce);
  const [failure, setFailure] = useState("");
  const inForce = mistakeInForce.name === name;
  const replaces = code.edited && !mistakeInForce.name;
  const next = nextOpen(name);
  const apply = async () => {
    setFailure("");
    try {
      await mistakeInForce.apply(name);
    } catch (error) {
      setFailure(`It could not be applied: ${describe(error)}.`);
    }
  };
  return (
    <div class="mistake-application">
      {inForce ? (
        <>
          <button type="button" onClick={() => code.restore()}>
            Restore the original
          </button>
          <button
            type="button"
            onClick={() => document.querySelector("spec-playground")?.scrollIntoView()}
          >
            Show the verdict
          </button>
        </>
      ) : (
        <button type="button" class="primary" disabled={code.applying} onClick={apply}>
          Apply to the code on this page
        </button>
      )}
      {next && (
        <button type="button" class="next" onClick={() => mistakeQuiz.show(next)}>
          Next one
        </button>
      )}
      <p role="status">
        {inForce && (
          <>
            <b>In force now.</b> The playground, its charts, the verdict and the code panel run it.
          </>
        )}
        {!inForce && replaces && "It takes the place of the code you edited. "}
        {failure}
      </p>
    </div>
  );
}

/**
 * @param {string} name
 * @returns {string | undefined} the next entry that is not answered yet
 */
function nextOpen(name) {
  const { names } = mistakeQuiz;
  const here = names.indexOf(name);
  const others = [...names.slice(here + 1), ...names.slice(0, here)];
  return others.find((other) => !mistakeQuiz.answer(other));
}
