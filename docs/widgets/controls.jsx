// The two sliders and everything that starts, stops and varies a run.

import { NumberField, Slider } from "./fields.jsx";
import { SPEEDS } from "./pacing.js";

/**
 * @typedef {import("./playground_session.js").PlaygroundSession} PlaygroundSession
 */

/** @param {{session: PlaygroundSession, status: import("./types").PythonStatus["status"]}} props */
export function Controls({ session, status }) {
  const { settings, running, first, lineByLine } = session;
  return (
    <section class="controls" aria-label="Controls">
      <Slider
        label="Draft quality"
        value={settings.quality}
        shown={settings.quality.toFixed(2)}
        min={0}
        max={1}
        step={0.01}
        ends={["random guesser", "matches target"]}
        onInput={(quality) => session.set({ quality })}
      />
      <Slider
        label="Speculation length γ"
        value={settings.gamma}
        shown={String(settings.gamma)}
        min={1}
        max={first.max_gamma}
        step={1}
        ends={["cautious", "greedy guesses"]}
        onInput={(gamma) => session.set({ gamma })}
      />
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={session.state.finished}
          onClick={() => (running ? session.pause() : session.run())}
        >
          {running ? "Pause" : "Run"}
        </button>
        <button type="button" disabled={session.state.finished} onClick={() => session.step()}>
          Step
        </button>
        <button type="button" onClick={() => session.reset()}>
          Reset
        </button>
        <button
          type="button"
          class="lines"
          aria-pressed={lineByLine.on}
          onClick={() => lineByLine.turn(!lineByLine.on)}
        >
          Line by line
        </button>
      </div>
      <p class="run-note" aria-live="polite">
        {note(session, status)}
      </p>
      <div class="fields">
        <label>
          Speed
          <select
            aria-label="Speed"
            value={session.speed}
            onChange={(event) =>
              session.setSpeed(/** @type {keyof typeof SPEEDS} */ (event.currentTarget.value))
            }
          >
            {Object.keys(SPEEDS).map((speed) => (
              <option key={speed} value={speed}>
                {speed}
              </option>
            ))}
          </select>
        </label>
        <NumberField
          label="Seed"
          value={session.seed}
          step={1}
          max={first.max_seed}
          onCommit={(seed) => session.reset(seed)}
        />
        <NumberField
          label="Cost ratio c"
          value={session.costRatio}
          step={0.01}
          max={1}
          onCommit={(ratio) => session.setCostRatio(ratio)}
        />
      </div>
    </section>
  );
}

/**
 * @param {PlaygroundSession} session
 * @param {import("./types").PythonStatus["status"]} status
 */
function note({ waiting, state, first, settings }, status) {
  if (status === "failed") return "Python is not running: see below";
  if (waiting > 0 && status !== "live") return "Starting as soon as Python is up";
  if (state.finished) return `All ${first.max_steps} steps are made: Reset begins anew`;
  const used = state.session.log.at(-1)?.[1];
  const moved = used && (used.quality !== settings.quality || used.gamma !== settings.gamma);
  return moved ? "The sliders take effect at the next step" : "";
}
