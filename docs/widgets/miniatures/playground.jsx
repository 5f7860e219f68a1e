// Speculative decoding in small: the first run's last step, guess by guess.

import { TOKEN_KINDS } from "../token_marks.jsx";

const WIDTH = 52;
const LANES = { guessed: 14, put: 62 };

/** @param {{frame: import("../types").FirstFrame}} props */
export function Miniature({ frame }) {
  const { cells } = /** @type {import("../types").Frame} */ (frame.frames.at(-1));
  const guesses = cells.filter(({ kind }) => kind !== "recovered" && kind !== "bonus");
  const places = Math.max(...cells.map(({ position }) => position)) + 1;
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${Math.max(places, 5) * WIDTH} 106`}>
      {guesses.map((cell, turn) => (
        <Chip key={turn} cell={cell} top={LANES.guessed} turn={turn} judged={guesses.length} />
      ))}
      {cells
        .filter((cell) => !guesses.includes(cell))
        .map((cell) => (
          <Chip key="own" cell={cell} top={LANES.put} turn={guesses.length + 2} />
        ))}
    </svg>
  );
}

/**
 * @param {{cell: import("../types").Cell, top: number, turn: number, judged?: number}} props
 *   turn: when it appears; judged: when its verdict does, if it is a guess
 */
function Chip({ cell: { kind, word, position }, top, turn, judged = turn }) {
  const { mark } = TOKEN_KINDS[kind];
  return (
    <g data-kind={kind} transform={`translate(${position * WIDTH} ${top})`}>
      <g class="appears" style={`--turn: ${turn}`}>
        <rect x={2} width={WIDTH - 4} height={22} rx={5} />
        <text x={WIDTH / 2} y={15}>
          {word}
        </text>
      </g>
      <text class="mark appears" style={`--turn: ${judged + 1}`} x={WIDTH / 2} y={38}>
        {mark}
      </text>
    </g>
  );
}
