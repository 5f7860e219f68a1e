// A chart with one row a word: labels and an axis below; what a row shows is the caller's.

import { linearAxis } from "./chart_geometry.js";

const ROW = 13;
const LABELS = 58;
const AXIS = 20;

/**
 * @param {{label: string, words: string[], maximum: number, width?: number, marked?: number,
 *   children: (row: {index: number, y: number, height: number,
 *     x: (value: number) => number}) => import("preact").ComponentChildren}} props
 *   maximum: the axis' end; marked: the row in bold
 */
export function WordRows({ label, words, maximum, width = 380, marked, children }) {
  const height = words.length * ROW + AXIS;
  const x = linearAxis([0, maximum], [LABELS, width - 14], { nice: 4, clamp: true });
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {x.ticks(4).map((tick) => (
        <g key={tick} class="tick" transform={`translate(${x(tick)},0)`}>
          <line y2={height - AXIS} />
          <text y={height - 6} text-anchor="middle">
            {tick === 0 ? "0" : `${Math.round(1000 * tick) / 10}%`}
          </text>
        </g>
      ))}
      {words.map((word, index) => (
        <g key={word} transform={`translate(0,${index * ROW})`} class={index === marked ? "marked" : ""}>
          <text class="word" x={LABELS - 6} y={ROW - 3} text-anchor="end">
            {word}
          </text>
          {children({ index, y: 1, height: ROW - 3, x })}
        </g>
      ))}
    </svg>
  );
}
