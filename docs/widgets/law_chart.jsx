// Each sequence that can come out: the target's probability as a bar, the code's as a dot.

import { useState } from "preact/hooks";
import { linearAxis } from "./chart_geometry.js";

/**
 * @typedef {import("./exactness_types").CheckResult} CheckResult
 * @typedef {import("./exactness_types").EmittedLaw} EmittedLaw
 * @typedef {import("./exactness_types").ExactNumber} ExactNumber
 */

const WIDTH = 680;
const HEIGHT = 200;
const MARGIN = { top: 8, right: 4, bottom: 40, left: 34 };
const UPRIGHT_LABEL = 30; // a column of this width has room for its letters side by side

/** @param {{result: CheckResult}} props */
export function LawChart({ result }) {
  const [open, setOpen] = useState(false);
  const { law, tokens } = result;
  if (!law) {
    return <p class="law-chart nothing">There is no law to show: the code could not be enumerated.</p>;
  }
  const { sequences, total, worst } = law;
  const some = sequences.length < total;
  const which = worst ? "that differ most" : "that are likeliest";
  return (
    <figure class="law-chart">
      <figcaption>
        <span>
          After A, {tokens} tokens: {some ? `the ${sequences.length} of ${total} sequences ${which}` : `all ${total} sequences`}
        </span>
        <span class="key">
          <span class="key-target">target's law</span>
          <span class="key-emitted">emitted</span>
          {worst && <span class="key-difference">difference</span>}
        </span>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on a phone */}
      <section class="law-scroll" tabIndex={0} aria-label="Chart of the two laws">
        <Columns law={law} tokens={tokens} />
      </section>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>The numbers</summary>
        {open && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
          <section class="numbers" tabIndex={0} aria-label="The numbers">
            <Numbers law={law} />
          </section>
        )}
      </details>
    </figure>
  );
}

/** @param {{law: EmittedLaw, tokens: number}} props */
function Columns({ law, tokens }) {
  const { sequences, worst } = law;
  const column = Math.min(44, (WIDTH - MARGIN.left - MARGIN.right) / sequences.length);
  const highest = Math.max(...sequences.flatMap(({ target, emitted }) => [target.value, emitted.value]));
  const y = linearAxis([0, highest], [HEIGHT - MARGIN.bottom, MARGIN.top], { nice: 4 });
  const base = y(0);
  const label = worst
    ? `Law of ${tokens} tokens: emitted and target differ, most for ${worst.words}: emitted ${worst.emitted.value.toPrecision(3)}, target ${worst.target.value.toPrecision(3)}`
    : `Law of ${tokens} tokens: for each sequence the emitted probability is the target's`;
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {y.ticks(4).map((tick) => (
        <g key={tick} class="tick" transform={`translate(0,${y(tick)})`}>
          <line x1={MARGIN.left} x2={WIDTH - MARGIN.right} />
          <text x={MARGIN.left - 5} dy="0.32em" text-anchor="end">
            {tick}
          </text>
        </g>
      ))}
      {sequences.map(({ words, target, emitted }, index) => {
        const [p, e] = [y(target.value), y(emitted.value)];
        return (
          <g
            key={words}
            class={words === worst?.words ? "column worst" : "column"}
            transform={`translate(${MARGIN.left + (index + 0.5) * column},0)`}
          >
            <title>{`${words}: target ${written(target)}, emitted ${written(emitted)}`}</title>
            <rect class="ground" x={-column / 2} y={MARGIN.top} width={column} height={HEIGHT - MARGIN.top} />
            <rect class="bar-target" x={-0.36 * column} y={p} width={0.72 * column} height={base - p} />
            {Math.abs(p - e) > 1 && <line class="difference" y1={p} y2={e} />}
            <circle class="emitted-share" cy={e} r={Math.min(3.6, Math.max(2.2, 0.36 * column))} />
            <text
              class="words"
              transform={column < UPRIGHT_LABEL ? `translate(0,${base + 5}) rotate(-90)` : `translate(0,${base + 14})`}
              text-anchor={column < UPRIGHT_LABEL ? "end" : "middle"}
              dy={column < UPRIGHT_LABEL ? "0.34em" : "0"}
            >
              {words}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

/** @param {{law: EmittedLaw}} props */
function Numbers({ law }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">sequence</th>
          <th scope="col">target</th>
          <th scope="col">emitted</th>
        </tr>
      </thead>
      <tbody>
        {law.sequences.map(({ words, target, emitted }) => (
          <tr key={words} class={words === law.worst?.words ? "worst" : ""}>
            <th scope="row">{words}</th>
            <td>{written(target)}</td>
            <td>{written(emitted)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** @param {ExactNumber} number */
const written = ({ value, exact }) =>
  exact.includes("/") ? `${exact} ≈ ${value.toPrecision(3)}` : exact || value.toPrecision(6);
