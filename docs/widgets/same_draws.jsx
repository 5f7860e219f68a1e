// <spec-same-draws>: the original and the edited code on the same random draws, side by side,
// up to the first token where they part.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { codeInUse } from "./code_in_use.js";
import { sessionOfPage } from "./playground_on_page.js";
import { python } from "./python.js";
import { CodeProblem, describe } from "./python_errors.js";
import { Scene } from "./scene.js";
import { TOKEN_KINDS } from "./token_marks.jsx";
import { useChanges } from "./use_changes.js";

/**
 * @typedef {import("./types").Settings} Settings
 * @typedef {{step: number, at: number, words: {word: string, kind: import("./types").CellKind}[]}} Side
 * @typedef {{number: number, uniform: number, original: string, edited: string, differs: boolean}} Draw
 * @typedef {{steps: number, tokens: number,
 *   parted: {token: number, original: Side, edited: Side, draws: Draw[]} | null}} Comparison
 */

const code = codeInUse("speculative.py");

export class SameDrawsElement extends HTMLElement {
  /** @type {Scene | undefined} */
  #scene;

  connectedCallback() {
    this.#scene = new Scene("same_draws");
    render(<SameDraws scene={this.#scene} />, this);
  }

  disconnectedCallback() {
    render(null, this);
    this.#scene?.release();
  }
}

/**
 * The playground's seed and settings: what both codes are run on.
 *
 * @param {import("./playground_session.js").PlaygroundSession} session
 */
function ranOn({ state, settings }) {
  const { seed, log } = state.session;
  return { seed, log: log.length ? log : [[0, { ...settings }]] };
}

/** @param {{scene: Scene}} props */
function SameDraws({ scene }) {
  useChanges(code);
  const [comparison, setComparison] = useState(/** @type {Comparison | null} */ (null));
  const [failure, setFailure] = useState("");
  const { edited } = code;

  useEffect(() => {
    setComparison(null);
    setFailure("");
    const session = sessionOfPage();
    if (!edited || !session) return;
    let wanted = true;
    let newest = "";
    const compare = async () => {
      if (python.status.status !== "live") return;
      const runs = ranOn(session);
      const asked = JSON.stringify(runs);
      if (asked === newest) return;
      newest = asked;
      try {
        const found = await scene.callAnew("compare", runs);
        if (wanted && asked === newest) setComparison(found);
      } catch (error) {
        // Code at fault gives way to the last good one, which is said where the code stands.
        if (wanted && !(error instanceof CodeProblem)) setFailure(describe(error));
      }
    };
    compare();
    session.addEventListener("change", compare);
    python.addEventListener("change", compare);
    return () => {
      wanted = false;
      session.removeEventListener("change", compare);
      python.removeEventListener("change", compare);
    };
  }, [code.text, edited]);

  return (
    <section class="same-draws" aria-label="Same draws, two codes">
      <h3>Same draws, two codes</h3>
      {edited ? (
        <div role="status">
          {failure && <p>There is nothing to compare: {failure}.</p>}
          {!failure && !comparison && <p>Running both codes …</p>}
          {comparison && <Result {...comparison} />}
        </div>
      ) : (
        <p>
          Apply an edit, or one of the mistakes below. The original and your code then run on the
          same seed and settings, each draw the same number for both, and part here before your
          eyes.
        </p>
      )}
    </section>
  );
}

/** @param {Comparison} props */
function Result({ steps, tokens, parted }) {
  if (!parted) {
    return (
      <p>
        <b>They do not part.</b> In {steps.toLocaleString("en")} steps on the same draws, both codes
        emit the same {tokens.toLocaleString("en")} tokens.
      </p>
    );
  }
  const first = parted.draws.find(({ differs }) => differs);
  return (
    <>
      <p>
        {tokens === 0 ? "They part at once" : `The first ${tokens.toLocaleString("en")} tokens are the same. They part`} at token{" "}
        {parted.token.toLocaleString("en")}, in step {parted.original.step}
        {parted.edited.step === parted.original.step ? "" : ` (${parted.edited.step} of yours)`}.
        {first &&
          ` With the same u = ${first.uniform.toFixed(3)}, the original ${first.original}, yours ${first.edited}.`}
      </p>
      <div class="same-draws-texts">
        <Text name="Original" {...parted.original} />
        <Text name="Yours" {...parted.edited} />
      </div>
      <details>
        <summary>The draws of that step</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Draw</th>
              <th scope="col">u</th>
              <th scope="col">Original</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {parted.draws.map((draw) => (
              <tr key={draw.number} data-differs={draw.differs}>
                <td>{draw.number}</td>
                <td>{draw.uniform.toFixed(3)}</td>
                <td>{draw.original}</td>
                <td>
                  {draw.edited}
                  {draw.differs && <b> ≠</b>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

/** @param {{name: string} & Side} props */
function Text({ name, at, words }) {
  return (
    <>
      <b>{name}</b>
      <p>
        {words.map(({ word, kind }, index) => (
          <span
            key={index}
            class="same-draws-token"
            data-kind={kind}
            data-parted={index === at ? "here" : index > at ? "after" : "before"}
          >
            {kind !== "accepted" && (
              <span class="mark" aria-hidden="true">
                {TOKEN_KINDS[kind].mark}
              </span>
            )}
            {word}
            {index === at && <span class="visually-hidden"> (here they part) </span>}
          </span>
        ))}
      </p>
    </>
  );
}
