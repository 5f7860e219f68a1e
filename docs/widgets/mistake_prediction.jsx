// Two questions about a change of the code, and how the answers compare with what is so.

import { useId, useState } from "preact/hooks";
import { mistakeQuiz } from "./mistake_quiz.js";
import { useChanges } from "./use_changes.js";

/** @param {{name: string, tokens: number}} props tokens: what the ordinary test gets */
export function MistakePrediction({ name, tokens }) {
  useChanges(mistakeQuiz);
  const [changes, setChanges] = useState(/** @type {boolean | null} */ (null));
  const [notices, setNotices] = useState(/** @type {boolean | null} */ (null));
  const answer = mistakeQuiz.answer(name);
  const truth = mistakeQuiz.truth(name);
  const count = tokens.toLocaleString("en");
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (changes !== null && notices !== null) mistakeQuiz.predict(name, { changes, notices });
  };
  return (
    <form class="mistake-prediction" onSubmit={submit}>
      <Question
        text="Does the law of the output change?"
        chosen={answer ? answer.changes : changes}
        truth={answer && truth.changes}
        verdict={truth.changes ? "It changes." : "It stays the target’s."}
        onChoose={setChanges}
      />
      <Question
        text={`Would an ordinary sampling test of ${count} tokens notice?`}
        chosen={answer ? answer.notices : notices}
        truth={answer && truth.notices}
        verdict={noticed(truth)}
        onChoose={setNotices}
      />
      {!answer && (
        <button type="submit" class="primary" disabled={changes === null || notices === null}>
          Show what happens
        </button>
      )}
    </form>
  );
}

/** @param {import("./mistake_quiz.js").Answer} truth */
function noticed({ changes, notices }) {
  if (notices) return "It would.";
  return changes ? "It would not." : "There is nothing to notice.";
}

/**
 * @param {{text: string, chosen: boolean | null, truth: boolean | undefined, verdict: string,
 *   onChoose: (yes: boolean) => void}} props truth: undefined until answered
 */
function Question({ text, chosen, truth, verdict, onChoose }) {
  const group = useId();
  const answered = truth !== undefined;
  const right = chosen === truth;
  return (
    <fieldset>
      <legend>{text}</legend>
      <div class="choices">
        {[true, false].map((yes) => (
          <label key={String(yes)}>
            <input
              type="radio"
              name={group}
              checked={chosen === yes}
              disabled={answered}
              onChange={() => onChoose(yes)}
            />
            {yes ? "Yes" : "No"}
          </label>
        ))}
        <span role="status" class="judged" data-right={answered ? String(right) : undefined}>
          {answered && `${right ? "✓ Right." : "✗ Not so."} ${verdict}`}
        </span>
      </div>
    </fieldset>
  );
}
