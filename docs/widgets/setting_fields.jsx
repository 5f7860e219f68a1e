// The fields of a scene's controls, as Python declares them (specdec/controls.py), and the buttons
// of every session.

import { NumberField, Slider } from "./fields.jsx";

/**
 * @typedef {import("./scene_types").Control} Control
 * @typedef {import("./scene_types").ShownSession} ShownSession
 */

/** @param {{session: ShownSession, names: string[]}} props names: of the controls, in order */
export function SettingFields({ session, names }) {
  return (
    <>
      {names.map((name) => {
        const control = session.first.controls.find((one) => one.name === name);
        return control && <Field key={name} control={control} session={session} />;
      })}
    </>
  );
}

/** @param {{control: Control, session: ShownSession}} props */
function Field({ control, session }) {
  const { name, label } = control;
  const value = session.settings[name];
  if (control.kind === "slider") {
    const { least, most, step, off, ends } = control;
    const number = Number(value);
    return (
      <Slider
        label={label}
        value={number}
        shown={number === off ? "off" : number.toFixed(decimals(step))}
        min={least}
        max={most}
        step={step}
        ends={ends[0] ? ends : undefined}
        onInput={(chosen) => session.set({ [name]: chosen })}
      />
    );
  }
  if (control.kind === "switch") {
    return (
      <label class="switch">
        <input
          type="checkbox"
          checked={value === true}
          onChange={(event) => session.set({ [name]: event.currentTarget.checked })}
        />
        {label}
      </label>
    );
  }
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      {control.options.map(([option, text]) => (
        <label key={option}>
          <input
            type="radio"
            name={`setting-${name}`}
            value={option}
            checked={value === option}
            onChange={() => session.set({ [name]: option })}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}

/** @param {number} step */
const decimals = (step) => String(step).split(".")[1]?.length ?? 0;

/** Run, Step and Reset, speed and seed. @param {{session: ShownSession}} props */
export function RunButtons({ session }) {
  const { running, waiting, state, first, speed, speeds, seed } = session;
  return (
    <div class="run-buttons">
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={state.finished}
          onClick={() => (running ? session.pause() : session.run())}
        >
          {running ? "Pause" : "Run"}
        </button>
        <button type="button" disabled={state.finished} onClick={() => session.step()}>
          Step
        </button>
        <button type="button" onClick={() => session.reset()}>
          Reset
        </button>
      </div>
      <p class="run-note" aria-live="polite">
        {waiting > 0 && !running
          ? "As soon as Python is up"
          : state.finished && `All ${first.max_steps} steps are made: Reset begins anew`}
      </p>
      <div class="fields">
        <label>
          Speed
          <select
            aria-label="Speed"
            value={speed}
            onChange={(event) =>
              session.setSpeed(/** @type {typeof speed} */ (event.currentTarget.value))
            }
          >
            {speeds.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <NumberField
          label="Seed"
          value={seed}
          step={1}
          max={first.max_seed}
          onCommit={(number) => session.reset(number)}
        />
      </div>
    </div>
  );
}
