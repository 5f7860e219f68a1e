// After the answers: the running evidence watches the changed code, and it can be put in force.

import { useState } from "preact/hooks";
import { codeInUse } from "./code_in_use.js";
import { EvidenceWatch } from "./evidence_watch.jsx";
import { mistakeInForce } from "./mistake_in_force.js";
import { mistakeQuiz } from "./mistake_quiz.js";
import { describe } from "./python.js";
import { useChanges } from "./use_changes.js";

/** @param {{name: string}} props */
export function MistakeAftermath({ name }) {
  return (
    <>
      <EvidenceWatch name={name} changes={mistakeQuiz.truth(name).changes} />
      <div class="mistake-next-steps">
        <Application name={name} />
        <Next name={name} />
      </div>
    </>
  );
}

/** @param {{name: string}} props */
function Application({ name }) {
  useChanges(mistakeInForce);
  const [failure, setFailure] = useState("");
  const inForce = mistakeInForce.name === name;
  const apply = async () => {
    setFailure("");
    try {
      await mistakeInForce.apply(name);
    } catch (error) {
      setFailure(`It could not be applied: ${describe(error)}.`);
    }
  };
  const replaces = codeInUse.edited && !mistakeInForce.name;
  return (
    <div class="mistake-application" data-in-force={String(inForce)}>
      {inForce ? (
        <button type="button" onClick={() => codeInUse.restore()}>
          Restore the original
        </button>
      ) : (
        <button type="button" class="primary" disabled={codeInUse.applying} onClick={apply}>
          Apply to the code on this page
        </button>
      )}
      <p role="status">
        {inForce && <b>In force now. </b>}
        {inForce && "The playground, its charts, the verdict and the code panel all run it. "}
        {!inForce && replaces && "It takes the place of the code you edited. "}
        {failure}
      </p>
      {inForce && (
        <button
          type="button"
          onClick={() => document.querySelector("spec-playground")?.scrollIntoView()}
        >
          Show the verdict
        </button>
      )}
    </div>
  );
}

/** @param {{name: string}} props */
function Next({ name }) {
  const { names } = mistakeQuiz;
  const here = names.indexOf(name);
  const order = [...names.slice(here + 1), ...names.slice(0, here)];
  const next = order.find((other) => !mistakeQuiz.answer(other));
  if (!next) return <p>That was the last one.</p>;
  return (
    <button type="button" onClick={() => mistakeQuiz.show(next)}>
      Next one
    </button>
  );
}
