// What came out against what the target would emit in the contexts visited, word by word,
// with the band in which chance alone keeps the emitted share, at every moment at once.

import { Explained } from "./explained.jsx";
import { WordRows } from "./word_rows.jsx";

/** @typedef {import("./types").Distribution} Distribution */

/** @param {{distribution: Distribution, level: number}} props */
export function DistributionChart({ distribution, level }) {
  const { words, emitted, expected, low, high, total, outside } = distribution;
  const share = (/** @type {number} */ count) => (total ? count / total : 0);
  const maximum = Math.max(0.25, ...expected.map(share), ...emitted.map(share));
  const summary = outside.length
    ? `outside the band: ${outside.join(", ")}`
    : "every word inside its band";
  return (
    <figure class="chart-box">
      <figcaption>
        <h2>
          What came out, against the target{" "}
          <Explained label="How to read what came out">
            <p>
              Bar: the share the target would give each word in the contexts visited so far. Dot: the
              share that came out, of {total.toLocaleString("en")} tokens.
            </p>
            <p>
              Grey: where chance keeps the dots, at every moment at once: if all is well, at most one
              run in {Math.round(1 / level).toLocaleString("en")} ever leaves it. A word that is always
              certain where it comes has no grey.
            </p>
            {outside.length > 0 && <p>Outside now: {outside.join(", ")}.</p>}
          </Explained>
        </h2>
        <p class="key">
          <span class="key-expected">target would emit</span>
          <span class="key-emitted">emitted</span>
          <span class="key-band">where chance keeps it</span>
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
                width={x(share(high[index])) - x(share(low[index]))}
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
