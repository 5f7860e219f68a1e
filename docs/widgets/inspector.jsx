// One token under the glass: p, q, their ratio, the uniform drawn, the residual.

import { TOKEN_KINDS } from "./token_marks.jsx";
import { WordRows } from "./word_rows.jsx";

/** @typedef {import("./types").Cell} Cell */

/** @param {number} number */
const three = (number) => number.toFixed(3);

/**
 * @param {{cell: Cell | undefined, step: number, words: string[], onFollow: (() => void) | null}}
 *   props onFollow: lets go of a selected token; null while none is
 */
export function Inspector({ cell, step, words, onFollow }) {
  if (!cell) {
    return (
      <section class="inspector" aria-label="Selected token">
        <p class="hint">Select any token to see the numbers that decided it.</p>
      </section>
    );
  }
  const { mark, label } = TOKEN_KINDS[cell.kind];
  const bars = [
    { name: "target", title: "target p", values: cell.target },
    { name: "draft", title: "draft q", values: cell.draft },
    { name: "residual", title: "residual", values: cell.residual },
  ].filter((bar) => bar.values != null);
  const maximum = Math.max(...bars.flatMap(({ values }) => values ?? []));
  return (
    <section class="inspector" aria-label="Selected token">
      <div class="findings">
        <h2 data-kind={cell.kind}>
          “{cell.word}” <span class="mark">{mark}</span> {label}
        </h2>
        <p class="hint">
          Step {step}, after “{cell.context}”.{" "}
          {onFollow ? (
            <button type="button" onClick={onFollow}>
              Follow the run again
            </button>
          ) : (
            "Select any token."
          )}
        </p>
        <p>{explain(cell)}</p>
        <dl>
          <Fact term="target p" value={three(cell.p)} name="p" />
          {cell.q != null && <Fact term="draft q" value={three(cell.q)} name="q" />}
          {cell.ratio != null && <Fact term="p / q" value={three(cell.ratio)} name="ratio" />}
          {cell.uniform != null && <Fact term="drawn u" value={three(cell.uniform)} name="uniform" />}
        </dl>
      </div>
      <div>
        <p class="key">
          {bars.map(({ name, title }) => (
            <span key={name} class={`key-${name}`}>
              {title}
            </span>
          ))}
        </p>
        <WordRows
          label={`After “${cell.context}”: ${bars.map(({ title }) => title).join(", ")} for each word`}
          words={words}
          maximum={maximum}
          width={330}
          marked={cell.token}
        >
          {({ index, y, height, x }) =>
            bars.map(({ name, title, values }, i) => (
              <rect
                key={name}
                class={`bar-${name}`}
                x={x(0)}
                y={y + (i * height) / bars.length}
                width={x(values?.[index] ?? 0) - x(0)}
                height={height / bars.length - 0.6}
              >
                <title>{`${words[index]}: ${title} = ${three(values?.[index] ?? 0)}`}</title>
              </rect>
            ))
          }
        </WordRows>
      </div>
    </section>
  );
}

/** @param {{term: string, value: string, name: string}} props */
function Fact({ term, value, name }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd data-fact={name}>{value}</dd>
    </div>
  );
}

/** @param {Cell} cell */
function explain(cell) {
  const { kind, p, q } = cell;
  switch (kind) {
    case "accepted":
    case "rejected":
      return explainCheck(cell);
    case "recovered":
      return `The rule draws it from the residual, what p has above q: here p = ${three(p)} against q = ${three(q ?? 0)}. With it, rejections put back exactly what acceptance took.`;
    case "discarded":
      return "Guessed after a miss, so it continues a text that never came to be. Its pass was wasted; its law does not matter.";
    case "bonus":
      return "All guesses were kept, and the same pass already gave the target's law for one more place: a free token, drawn from p.";
  }
}

/** @param {Cell} cell a guess that was checked, by the rule or as edited code has it */
function explainCheck({ kind, ratio, uniform }) {
  const kept = kind === "accepted";
  const verdict = kept ? "Kept" : "Rejected";
  if (uniform == null || ratio == null) return `${verdict} by another rule than u < min(1, p/q).`;
  const passes = uniform < ratio;
  const check = `u = ${three(uniform)} is ${passes ? "" : "not "}below min(1, p/q) = ${three(Math.min(1, ratio))}`;
  if (passes !== kept) return `${verdict}, although ${check}: this code has another rule.`;
  const why = "The draft wanted it more often than the target does; the residual says where the target wants more.";
  return kept ? `${verdict}: ${check}.` : `${verdict}: ${check}. ${why}`;
}
