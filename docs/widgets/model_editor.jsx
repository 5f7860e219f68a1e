// The model that is enumerated: presets, its size, and a bar for each weight of p and q.

import { useState } from "preact/hooks";

/**
 * @typedef {import("./exactness_check.js").ExactnessCheck} ExactnessCheck
 * @typedef {import("./exactness_types").ExactnessFrame} ExactnessFrame
 * @typedef {import("./exactness_types").Part} Part
 * @typedef {import("./exactness_types").Preset} Preset
 * @typedef {import("./exactness_types").SmallModel} SmallModel
 */

/** @type {[Part, string][]} */
const PARTS = [["target", "target p"], ["draft", "draft q"]];

/** @param {{frame: ExactnessFrame, check: ExactnessCheck}} props */
export function ModelEditor({ frame, check }) {
  const { model } = check;
  const [chosen, setChosen] = useState(0);
  const [note, setNote] = useState("");
  const context = model.context_dependent ? Math.min(chosen, model.vocab - 1) : 0;

  const use = (/** @type {SmallModel} */ changed, held = false) => {
    setNote("");
    check.use(changed, held);
  };
  const preset = (/** @type {Preset} */ name, vocab = model.vocab) => {
    use({ ...frame.presets[name][vocab], gamma: model.gamma });
  };
  const dependOnContext = (/** @type {boolean} */ wanted) => {
    const rows = (/** @type {number[][]} */ weights) =>
      wanted ? Array.from({ length: model.vocab }, () => [...weights[0]]) : [weights[context]];
    use({ ...model, context_dependent: wanted, target: rows(model.target), draft: rows(model.draft) });
  };
  const setWeight = (/** @type {Part} */ part, /** @type {number} */ word, /** @type {number} */ weight) => {
    const row = model[part][context].with(word, weight);
    if (row.every((other) => other === 0)) {
      setNote("A law needs a word: the last bar cannot go to 0.");
      return;
    }
    use({ ...model, [part]: model[part].with(context, row) }, true);
  };

  return (
    <section class="model-editor" aria-label="The model enumerated">
      <fieldset class="presets" aria-label="Presets">
        {/** @type {Preset[]} */ (Object.keys(frame.presets)).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === model.preset}
            onClick={() => preset(name)}
          >
            {name}
          </button>
        ))}
      </fieldset>
      <div class="model-size">
        <Choice
          label="Words"
          value={model.vocab}
          values={frame.vocabs}
          onChange={(vocab) => preset(model.preset, vocab)}
        />
        <Choice
          label="Guesses γ"
          value={model.gamma}
          values={frame.gammas}
          onChange={(gamma) => use({ ...model, gamma })}
        />
        <label class="depends">
          <input
            type="checkbox"
            checked={model.context_dependent}
            onChange={(event) => dependOnContext(event.currentTarget.checked)}
          />
          p and q depend on the last word
        </label>
      </div>
      <Contexts
        words={[...frame.words].slice(0, model.vocab)}
        context={context}
        disabled={!model.context_dependent}
        onChange={setChosen}
      />
      <div class="bars">
        {Array.from({ length: model.vocab }, (_, word) => (
          <div class="word-bars" key={word}>
            <b>{frame.words[word]}</b>
            {PARTS.map(([part, name]) => (
              <Bar
                key={part}
                part={part}
                name={`${name} of ${frame.words[word]}${model.context_dependent ? ` after ${frame.words[context]}` : ""}`}
                row={model[part][context]}
                word={word}
                maximum={frame.max_weight}
                onInput={(weight) => setWeight(part, word, weight)}
                onRelease={() => check.release()}
              />
            ))}
          </div>
        ))}
      </div>
      <p class="bars-note" aria-live="polite">
        {note || "A bar is a weight; a probability is its share of the row. Drag it, or use the arrow keys."}
      </p>
    </section>
  );
}

/**
 * @param {{label: string, value: number, values: number[], onChange: (value: number) => void}} props
 */
function Choice({ label, value, values, onChange }) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(Number(event.currentTarget.value))}>
        {values.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}

/**
 * Which row the bars show.
 *
 * @param {{words: string[], context: number, disabled: boolean, onChange: (context: number) => void}} props
 */
function Contexts({ words, context, disabled, onChange }) {
  return (
    <fieldset class="contexts" disabled={disabled}>
      <legend>{disabled ? "the same after every word" : "after"}</legend>
      {!disabled &&
        words.map((word, index) => (
          <label key={word}>
            <input
              type="radio"
              name="exactness-context"
              checked={index === context}
              onChange={() => onChange(index)}
            />
            {word}
          </label>
        ))}
      <span class="key" aria-hidden="true">
        <span class="key-target">target p</span>
        <span class="key-draft">draft q</span>
      </span>
    </fieldset>
  );
}

/**
 * @param {{part: Part, name: string, row: number[], word: number, maximum: number,
 *   onInput: (weight: number) => void, onRelease: () => void}} props
 */
function Bar({ part, name, row, word, maximum, onInput, onRelease }) {
  const weight = row[word];
  const share = `${weight}/${row.reduce((sum, other) => sum + other, 0)}`;
  return (
    <>
      <input
        type="range"
        class="bar"
        data-model={part}
        aria-label={name}
        aria-valuetext={share}
        min={0}
        max={maximum}
        step={1}
        value={weight}
        style={{ "--weight": weight / maximum }}
        onInput={(event) => {
          onInput(event.currentTarget.valueAsNumber);
          event.currentTarget.value = String(weight); // Preact puts the new one, if it is taken
        }}
        onChange={onRelease}
        onPointerUp={onRelease}
        onPointerCancel={onRelease}
        onBlur={onRelease}
      />
      <output aria-hidden="true" data-model={part}>
        {share}
      </output>
    </>
  );
}
