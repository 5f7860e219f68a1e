// The running evidence against a changed code, growing while its tokens come out in this tab.

import { useEffect, useState } from "preact/hooks";
import { linearAxis, lineThrough } from "./chart_geometry.js";
import { python } from "./python.js";
import { describe, PythonLost } from "./python_errors.js";
import { runningCode } from "./running_code.js";
import { Scene } from "./scene.js";

/** @typedef {import("./types").EvidenceRun} EvidenceRun */

const SLICE = 400; // tokens a call: well below a second, so that the page stays responsive
const WIDTH = 480;
const HEIGHT = 150;
const MARGIN = { top: 10, right: 12, bottom: 24, left: 40 };

/** @param {{name: string, changes: boolean}} props changes: whether there is something to find */
export function EvidenceWatch({ name, changes }) {
  const [run, setRun] = useState(/** @type {EvidenceRun | null} */ (null));
  const [failure, setFailure] = useState("");
  useEffect(() => watch(name, setRun, (error) => setFailure(describe(error))), [name]);
  return (
    <figure class="evidence-watch" data-tokens={run?.tokens} data-done={String(run?.done ?? false)}>
      <figcaption>
        <h4>What the running evidence says</h4>
        <p role="status" data-rejected={String(run?.rejected ?? false)}>
          {failure ? `The run broke off: ${failure}.` : outcome(run, changes)}
        </p>
        {run && (
          <small>
            Each token, given the word before it, on the playground’s target with a poor draft
            (quality {run.settings.quality}, γ = {run.settings.gamma}). Across: tokens.
          </small>
        )}
      </figcaption>
      {run && <Chart run={run} />}
    </figure>
  );
}

/**
 * Runs the code until the evidence is in; begins again if Python has forgotten the run.
 *
 * @param {string} name
 * @param {(run: EvidenceRun) => void} onRun
 * @param {(error: unknown) => void} onFailure
 * @returns {() => void} ends it
 */
function watch(name, onRun, onFailure) {
  const scene = new Scene("mistakes");
  let wanted = true;
  const untilTheEnd = async () => {
    let generation = -1;
    for (let done = false; wanted && !done; ) {
      await python.up();
      await verdict();
      const again = generation !== python.generation;
      generation = python.generation;
      try {
        const action = again ? "watch" : "go_on";
        const run = await scene.call(action, again ? { name } : { tokens: SLICE });
        if (wanted && generation === python.generation) onRun(run);
        done = run.done && generation === python.generation;
      } catch (error) {
        if (!(error instanceof PythonLost)) throw error;
      }
    }
  };
  untilTheEnd()
    .catch((error) => wanted && onFailure(error))
    .finally(() => scene.release());
  return () => {
    wanted = false;
  };
}

/** Lets the verdict on the code in force go first: it waits for the same Python. */
async function verdict() {
  const running = runningCode("speculative.py");
  while (!running.certificate) {
    await new Promise((resolve) => running.addEventListener("change", resolve, { once: true }));
  }
}

/**
 * @param {EvidenceRun | null} run
 * @param {boolean} changes
 */
function outcome(run, changes) {
  if (!run) return "Waiting for Python …";
  const tokens = `${run.tokens.toLocaleString("en")} token${run.tokens === 1 ? "" : "s"}`;
  if (run.rejected) return `✗ Alarm after ${tokens}.`;
  if (!run.done) return `${tokens}, no alarm so far …`;
  return changes
    ? `No alarm in ${tokens}: too small to be seen here, or in a place this run does not look at.`
    : `No alarm in ${tokens}, and rightly so.`;
}

/** @param {{run: EvidenceRun}} props */
function Chart({ run: { trail, alarm, most_tokens: mostTokens } }) {
  const last = trail[trail.length - 1];
  const x = linearAxis([0, Math.max(200, last[0])], [MARGIN.left, WIDTH - MARGIN.right]);
  const heights = trail.map(([, log10]) => log10 ?? alarm + 2);
  const y = linearAxis(
    [Math.min(-2, ...heights), alarm + 2],
    [HEIGHT - MARGIN.bottom, MARGIN.top],
    { clamp: true },
  );
  const path = lineThrough(trail.map(([tokens], i) => [x(tokens), y(heights[i])]));
  const label =
    `Evidence against this code after ${last[0]} of at most ${mostTokens} tokens: ` +
    `${power(last[1])}; the alarm is at ${power(alarm)}`;
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {[0, alarm].map((log10) => (
        <g key={log10} class="tick" transform={`translate(0 ${y(log10)})`}>
          <line class={log10 ? "alarm" : ""} x1={MARGIN.left} x2={WIDTH - MARGIN.right} />
          <text x={MARGIN.left - 6} dy="0.32em" text-anchor="end">
            {(10 ** log10).toLocaleString("en")}
          </text>
        </g>
      ))}
      <text class="tick" x={WIDTH / 2} y={y(alarm) - 5} text-anchor="middle">
        alarm
      </text>
      <path class="evidence-line" d={path} />
      <circle class="evidence-now" cx={x(last[0])} cy={y(last[1] ?? alarm + 2)} r="3.5" />
      {x.ticks(5).map((tokens) => (
        <text key={tokens} class="tick" x={x(tokens)} y={HEIGHT - 8} text-anchor="middle">
          {tokens.toLocaleString("en")}
        </text>
      ))}
    </svg>
  );
}

/** @param {number | null} log10 */
function power(log10) {
  if (log10 === null) return "beyond all bounds";
  return Math.abs(log10) < 4 ? (10 ** log10).toPrecision(2) : `10 to the power of ${log10.toFixed(0)}`;
}
