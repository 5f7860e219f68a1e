// What came out against what the target would emit in the contexts visited, word by word,
// with the band in which chance alone keeps the emitted share, at every moment at once.

import { WordRows } from "./word_rows.jsx";

/** @typedef {import("./types").Distribution} Distribution */

/** @param {{distribution: Distribution, level: number}} props */
export function DistributionChart({ distribution, level }) {
  const { words, emitted, expected, low, high } = distribution;
  const total = emitted.reduce((sum, count) => sum + count, 0);
  const share = (/** @type {number} */ count) => (total ? count / total : 0);
  const maximum = Math.max(0.2, ...expected.map(share), ...emitted.map(share));
  const outside = words.filter((_, i) => emitted[i] < low[i] || emitted[i] > high[i]);
  const summary = outside.length
    ? `outside the band: ${outside.join(", ")}`
    : "every word inside its band";
  return (
    <figure class="chart-box">
      <figcaption>
        <h2>What came out, against the target</h2>
        <p class="key">
          <span class="key-expected">target would emit</span>
          <span class="key-emitted">emitted</span>
          <span class="key-band">chance alone</span>
        </p>
      </figcaption>
      <WordRows
        label={`Emitted words against the target's law, ${total} tokens: ${summary}`}
        words={words}
        maximum={maximum}
      >
        {({ index, y, height, x }) => (
          <>
            <title>
              {`${words[index]}: emitted ${emitted[index]} of ${total}; the target would emit ${expected[index].toFixed(1)}; chance alone: ${low[index].toFixed(1)} to ${high[index].toFixed(1)} (false alarm at most ${level})`}
            </title>
            <rect class="expected" x={x(0)} y={y} width={x(share(expected[index])) - x(0)} height={height} />
            {total > 0 && (
              <rect
                class="band"
                x={x(share(low[index]))}
                y={y + height / 2 - 2}
                width={Math.max(0, Math.min(x(share(high[index])), x.range()[1] + 14) - x(share(low[index])))}
                height={4}
              />
            )}
            {total > 0 && (
              <circle class="emitted-share" cx={x(share(emitted[index]))} cy={y + height / 2} r={3.6} />
            )}
          </>
        )}
      </WordRows>
    </figure>
  );
}
