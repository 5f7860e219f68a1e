// Tokens per target pass: each step, the mean since a slider last moved, the closed form.

import { linearAxis, lineThrough } from "./chart_geometry.js";
import { Explained } from "./explained.jsx";

/** @typedef {import("./types").Pace} Pace */

const WIDTH = 380;
const HEIGHT = 168;
const MARGIN = { top: 8, right: 14, bottom: 22, left: 28 };
const STEPS_SHOWN = 240;
const LEAST_STEPS = 20;

/** @param {{pace: Pace[]}} props */
export function PaceChart({ pace }) {
  const start = Math.max(0, pace.length - STEPS_SHOWN);
  const visible = pace.slice(start).map((entry, i) => ({ ...entry, step: start + i + 1 }));
  const x = linearAxis(
    [start + 1, Math.max(start + LEAST_STEPS, pace.length)],
    [MARGIN.left, WIDTH - MARGIN.right],
  );
  const top = Math.max(6, ...pace.map(({ tokens }) => tokens));
  const y = linearAxis([0, top], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const last = visible.at(-1);
  const path = (/** @type {"mean" | "predicted"} */ what) =>
    segments(visible)
      .map((segment) =>
        lineThrough(segment.map((entry) => [x(entry.step), y(entry[what])])),
      )
      .join("");
  const label = last
    ? `Tokens per target pass after ${pace.length} steps: measured ${last.mean.toFixed(2)}, closed form ${last.predicted.toFixed(2)}`
    : "Tokens per target pass: no step yet";
  return (
    <figure class="chart-box">
      <figcaption>
        <h2>
          Tokens per target pass{" "}
          <Explained label="How to read tokens per target pass">
            <p>
              Line: the mean since a slider last moved. Dots: single steps; dotted upright: a slider
              moved. Across: steps.
            </p>
            <p>
              Dashed: (1 − α<sup>γ+1</sup>) / (1 − α), with α the chance that a guess the target
              checks is kept, averaged over the words that come before it.
            </p>
          </Explained>
        </h2>
        <p class="key">
          <span class="key-mean">
            measured <b>{last ? last.mean.toFixed(2) : "–"}</b>
          </span>
          <span class="key-predicted">
            closed form <b>{last ? last.predicted.toFixed(2) : "–"}</b>
          </span>
        </p>
      </figcaption>
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        {y.ticks(5).map((tick) => (
          <g key={tick} class="tick" transform={`translate(0,${y(tick)})`}>
            <line x1={MARGIN.left} x2={WIDTH - MARGIN.right} />
            <text x={MARGIN.left - 6} dy="0.32em" text-anchor="end">
              {tick}
            </text>
          </g>
        ))}
        {x
          .ticks(5)
          .filter(Number.isInteger)
          .map((tick) => (
            <text key={tick} class="tick" x={x(tick)} y={HEIGHT - 6} text-anchor="middle">
              {tick}
            </text>
          ))}
        {visible
          .filter((entry) => entry.settings_changed && entry.step > 1)
          .map(({ step }) => (
            <line key={step} class="change" x1={x(step - 0.5)} x2={x(step - 0.5)} y1={MARGIN.top} y2={HEIGHT - MARGIN.bottom} />
          ))}
        {visible.map(({ step, tokens }) => (
          <circle key={step} class="step-tokens" cx={x(step)} cy={y(tokens)} r={2} />
        ))}
        <path class="predicted" d={path("predicted")} />
        <path class="mean" d={path("mean")} />
        {last && <circle class="mean-now" cx={x(last.step)} cy={y(last.mean)} r={3.5} />}
      </svg>
    </figure>
  );
}

/**
 * Lines break where the settings changed: the mean begins afresh there.
 *
 * @template {{settings_changed: boolean}} Entry
 * @param {Entry[]} entries
 */
function segments(entries) {
  /** @type {Entry[][]} */
  const parts = [];
  for (const entry of entries) {
    if (!parts.length || entry.settings_changed) parts.push([]);
    parts[parts.length - 1].push(entry);
  }
  return parts;
}
