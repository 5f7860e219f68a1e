// Sampling knobs in small: the next word's probabilities without the knobs and with them.

const HEIGHT = 84;
const WIDTH = 16;

/** @param {{frame: import("../scene_types").SceneFrame<import("../sampling_knobs/state").KnobsState>}} props */
export function Miniature({ frame }) {
  const { words } = frame.state;
  const greatest = Math.max(...words.flatMap(({ before, after }) => [before, after]));
  const height = (/** @type {number} */ probability) => (HEIGHT * probability) / greatest;
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${words.length * WIDTH} 96`}>
      {words.map(({ word, before, after, cut_by }, i) => (
        <g key={word} data-cut={cut_by ?? ""} transform={`translate(${i * WIDTH} ${HEIGHT + 4})`}>
          <rect class="raw" x={2} width={WIDTH - 4} y={-height(before)} height={height(before)} />
          <rect
            class="knobbed deforms"
            style={`--from: ${after ? before / after : 1}; --turn: ${i / 4}`}
            x={4}
            width={WIDTH - 8}
            y={-height(after)}
            height={height(after)}
          />
          {cut_by && (
            <text class="mark appears" style={`--turn: ${i / 4}`} x={WIDTH / 2} y={-height(before) - 3}>
              ✂
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}
