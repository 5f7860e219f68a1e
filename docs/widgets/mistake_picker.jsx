// The list of entries: which are answered, which is right, which is in force just now.

import { mistakeInForce } from "./mistake_in_force.js";
import { mistakeQuiz } from "./mistake_quiz.js";
import { useChanges } from "./use_changes.js";

/** @param {{titles: string[]}} props */
export function MistakePicker({ titles }) {
  useChanges(mistakeQuiz, mistakeInForce);
  const { names, current, right } = mistakeQuiz;
  const answered = names.filter((name) => mistakeQuiz.answer(name)).length;
  return (
    <nav aria-label="Changes of the code">
      <p class="mistake-score">
        <span role="status">
          <b>{right}</b> of {names.length} predicted right
          {answered > right && `, ${answered - right} not`}
        </span>
        {answered > 0 && (
          <button type="button" onClick={() => mistakeQuiz.startOver()}>
            Start over
          </button>
        )}
      </p>
      <ol>
        {names.map((name, i) => (
          <li key={name}>
            <button
              type="button"
              aria-current={name === current ? "true" : undefined}
              data-state={stateOf(name)}
              title={titles[i]}
              onClick={() => mistakeQuiz.show(name)}
            >
              <span class="number">{i + 1}</span>
              <span class="title">{titles[i]}</span>
              <Mark name={name} />
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** @param {string} name */
function stateOf(name) {
  if (!mistakeQuiz.answer(name)) return "open";
  return mistakeQuiz.isRight(name) ? "right" : "wrong";
}

/** @param {{name: string}} props */
function Mark({ name }) {
  const state = stateOf(name);
  const inForce = mistakeInForce.name === name;
  return (
    <span class="marks">
      {inForce && (
        <>
          <span aria-hidden="true">▶</span>
          <span class="visually-hidden"> (in force)</span>
        </>
      )}
      {state !== "open" && (
        <>
          <span aria-hidden="true">{state === "right" ? "✓" : "✗"}</span>
          <span class="visually-hidden"> ({state === "right" ? "predicted right" : "predicted wrong"})</span>
        </>
      )}
    </span>
  );
}
