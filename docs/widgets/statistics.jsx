// The tiles: rates since the last change of a slider, the whole run's beside them.

import { Explained } from "./explained.jsx";

/** @typedef {import("./types").State} State */

/** @param {number | null} rate */
const percent = (rate) => (rate == null ? "–" : `${(100 * rate).toFixed(1)}%`);
/** @param {number | null} number */
const twoDecimals = (number) => (number == null ? "–" : number.toFixed(2));
/** @param {number | null} factor */
const times = (factor) => (factor == null ? "–" : `${factor.toFixed(2)}×`);
/** @param {number} count */
const whole = (count) => count.toLocaleString("en");

/** @param {{state: State, costRatio: number, children?: import("preact").ComponentChildren}} props */
export function StatisticsTiles({ state, costRatio, children }) {
  const { window: now, run } = state;
  return (
    <dl class="statistics">
      <Tile
        name="draft-accept-rate"
        label="Draft accept rate"
        now={percent(now.draft_accept_rate)}
        run={percent(run.draft_accept_rate)}
      >
        <Explained label="How the draft accept rate is counted">
          <p>
            Accepted ÷ drafted: {whole(now.accepted)} of {whole(now.drafted)} guesses since a slider
            last moved.
          </p>
          <p>
            Guesses after the first miss count as drafted, so this is lower than α, the chance that
            any one guess is kept.
          </p>
        </Explained>
      </Tile>
      <Tile
        name="tokens-per-pass"
        label="Tokens per target pass"
        now={twoDecimals(now.tokens_per_pass)}
        run={twoDecimals(run.tokens_per_pass)}
      />
      <Tile name="speedup" label="Speed-up" now={times(now.speedup)} run={times(run.speedup)}>
        <Explained label="How the speed-up is counted">
          <p>
            Tokens ÷ cost, in target passes. A step with γ guesses costs 1 + c·γ: one target pass and
            γ draft passes of c = {costRatio} each.
          </p>
          <p>
            {whole(now.tokens_emitted)} tokens ÷ ({whole(now.steps)} + {costRatio} ×{" "}
            {whole(now.drafted)}) = {times(now.speedup)}
          </p>
        </Explained>
      </Tile>
      <Tile
        name="thrown-away"
        label="Drafts thrown away"
        now={whole(now.thrown_away)}
        run={whole(run.thrown_away)}
      />
      <Tile
        name="tokens-emitted"
        label="Tokens emitted"
        now={whole(now.tokens_emitted)}
        run={whole(run.tokens_emitted)}
      />
      {children}
    </dl>
  );
}

/**
 * @param {{name: string, label: string, now: string, run: string,
 *   children?: import("preact").ComponentChildren}} props
 */
function Tile({ name, label, now, run, children }) {
  return (
    <div class="tile">
      <dt>
        {label} {children}
      </dt>
      <dd>
        <b data-stat={name}>{now}</b>
        <small>
          whole run <span data-run-stat={name}>{run}</span>
        </small>
      </dd>
    </div>
  );
}
