// Beam search in small: the tree of the first search, step by step.

import { NODE_KINDS } from "../beam_search/node_kinds.js";

const HEIGHT = 106;
const WIDTH = 58;
const RADIUS = 6;

/** @param {{frame: import("../beam_search/state").BeamFrame}} props */
export function Miniature({ frame }) {
  const { columns } = frame.state;
  const places = new Map([["", { x: RADIUS + 1, y: HEIGHT / 2 }]]);
  for (const [step, column] of columns.entries()) {
    for (const [i, { tokens }] of column.entries()) {
      const [x, y] = [(step + 1) * WIDTH, ((i + 0.5) * HEIGHT) / column.length];
      places.set(tokens.join(), { x, y });
    }
  }
  const placeOf = (/** @type {number[]} */ tokens) =>
    /** @type {{x: number, y: number}} */ (places.get(tokens.join()));
  return (
    <svg class="beams" aria-hidden="true" viewBox={`0 0 ${columns.length * WIDTH + 2 * RADIUS} ${HEIGHT}`}>
      {columns.map((column, step) => (
        <g key={step} class="appears" style={`--turn: ${2 * step}`}>
          {column.map(({ tokens, kind }) => (
            <Branch
              key={tokens.join()}
              kind={kind}
              from={placeOf(tokens.slice(0, -1))}
              to={placeOf(tokens)}
            />
          ))}
        </g>
      ))}
      <circle class="root" cx={RADIUS + 1} cy={HEIGHT / 2} r={RADIUS - 2} />
    </svg>
  );
}

/**
 * @typedef {{x: number, y: number}} Place
 *
 * @param {{kind: keyof typeof NODE_KINDS, from: Place, to: Place}} props
 */
function Branch({ kind, from, to }) {
  return (
    <g data-kind={kind}>
      <path d={`M${from.x} ${from.y}L${to.x} ${to.y}`} />
      <text class="mark" x={to.x} y={to.y + 4}>
        {NODE_KINDS[kind].mark}
      </text>
    </g>
  );
}
