// The values at a line: what it compares and draws, the variables in it, and the others.

import { useRef } from "preact/hooks";

/**
 * @typedef {import("./executed_lines.js").Stop} Stop
 * @typedef {{name: string, text: string, changed?: boolean, kind?: string}} Value
 */

// What a line sets anew: its value from before says nothing about the line.
const SET_ANEW = /^(for\b.*?\bin\b|[\w\s,]+=(?!=))/;

/** @param {{stop: Stop | null, text: string}} props text: of the line */
export function LineValues({ stop, text }) {
  const named = new Set(text.replace(SET_ANEW, "").match(/[\p{L}_][\p{L}\p{N}_]*/gu));
  const variables = stop?.variables ?? [];
  const isHere = (/** @type {Value} */ value) => named.has(value.name) && !isThing(value);
  /** @type {Value[]} */
  const here = [
    ...variables.filter(isHere),
    ...(stop?.parts ?? []).map(([name, value]) => ({ name, text: value, kind: "part" })),
    ...(stop?.uniforms ?? []).map((u) => ({ name: "u drawn", text: u, kind: "drawn" })),
  ];
  if (stop?.returned) here.push({ name: "returns", text: stop.returned, kind: "returned" });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class="line-values" aria-label="Values at this line" tabIndex={0}>
      <Values values={here} />
      <Values values={variables.filter((value) => !isHere(value))} others />
      {!stop && <p class="hint">Here stand the values of its variables, as each line finds them.</p>}
    </section>
  );
}

/**
 * Rows that are not needed stay, hidden: an element that comes or goes has the browser work out
 * the styles of the whole page, and a line would take twice as long to light.
 *
 * @param {{values: Value[], others?: boolean}} props others: not in the line itself
 */
function Values({ values, others = false }) {
  const rows = useRef(0);
  rows.current = Math.max(rows.current, values.length);
  return (
    <dl data-others={others}>
      {Array.from({ length: rows.current }, (_, row) => {
        const { name = "", text = "", changed = false, kind } = values[row] ?? {};
        return (
          <div
            key={row}
            hidden={row >= values.length}
            data-kind={kind}
            data-model={modelOf(name)}
            data-changed={changed}
          >
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        );
      })}
    </dl>
  );
}

/**
 * A model, a function, a generator of random numbers: its name is all there is to tell.
 *
 * @param {Value} value
 */
const isThing = ({ text }) => /^[A-Z_a-z]\w*(\(\))?$/.test(text) && !/^(True|False|None)$/.test(text);

/** @param {string} name of a variable, or a part of a line */
function modelOf(name) {
  const ofTarget = /\b(p|target\w*)\b/.test(name);
  const ofDraft = /\b(q|draft\w*|guesses|rows)\b/.test(name);
  return ofTarget === ofDraft ? undefined : ofTarget ? "target" : "draft";
}
