// α after the present text, by temperature: with the knobs on both models, and on the target alone.

import { linearAxis, lineThrough } from "../chart_geometry.js";

const WIDTH = 380;
const HEIGHT = 190;
const MARGIN = { top: 8, right: 12, bottom: 34, left: 30 };

/**
 * @param {{acceptance: import("./state").KnobsState["acceptance"], temperature: number}} props
 */
export function AcceptanceChart({ acceptance, temperature }) {
  const { temperatures, both, alone, now } = acceptance;
  const x = linearAxis([0, temperatures[temperatures.length - 1]], [MARGIN.left, WIDTH - MARGIN.right]);
  const y = linearAxis([0, 1], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const path = (/** @type {number[]} */ alphas) =>
    lineThrough(alphas.map((alpha, i) => [x(temperatures[i]), y(alpha)]));
  const label = `α at temperature ${temperature}: ${now.both.toFixed(2)} with the knobs on both models, ${now.alone.toFixed(2)} with the knobs on the target alone`;
  return (
    <figure class="chart-box acceptance">
      <figcaption>
        <h2>α by temperature, after this text</h2>
        <p class="key">
          <span class="key-mean">
            knobs on both <b data-stat="alpha-both">{now.both.toFixed(2)}</b>
          </span>
          <span class="key-predicted">
            on the target alone <b data-stat="alpha-alone">{now.alone.toFixed(2)}</b>
          </span>
        </p>
      </figcaption>
      <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        {y.ticks(4).map((tick) => (
          <g key={tick} class="tick" transform={`translate(0,${y(tick)})`}>
            <line x1={MARGIN.left} x2={WIDTH - MARGIN.right} />
            <text x={MARGIN.left - 5} dy="0.32em" text-anchor="end">
              {tick}
            </text>
          </g>
        ))}
        {x.ticks(4).map((tick) => (
          <text key={tick} class="tick" x={x(tick)} y={HEIGHT - 20} text-anchor="middle">
            {tick}
          </text>
        ))}
        <text class="tick" x={(MARGIN.left + WIDTH - MARGIN.right) / 2} y={HEIGHT - 5} text-anchor="middle">
          temperature
        </text>
        <line class="change" x1={x(temperature)} x2={x(temperature)} y1={MARGIN.top} y2={HEIGHT - MARGIN.bottom} />
        <path class="predicted" d={path(alone)} />
        <path class="mean" d={path(both)} />
        <circle class="mean-now" cx={x(temperature)} cy={y(now.both)} r={4} />
      </svg>
    </figure>
  );
}
