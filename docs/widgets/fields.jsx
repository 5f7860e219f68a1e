// Fields that set a number: a slider, and one to type in.

import { useState } from "preact/hooks";

/**
 * @param {{label: string, value: number, shown: string, min: number, max: number, step: number,
 *   ends?: [string, string], onInput: (value: number) => void}} props
 */
export function Slider({ label, value, shown, min, max, step, ends, onInput }) {
  return (
    <label class="slider">
      <span class="slider-name">{label}</span>
      <output aria-hidden="true">{shown}</output>
      <input
        type="range"
        aria-label={label}
        {...{ min, max, step, value }}
        onInput={(event) => onInput(event.currentTarget.valueAsNumber)}
      />
      {ends && (
        <span class="slider-ends" aria-hidden="true">
          <span>{ends[0]}</span>
          <span>{ends[1]}</span>
        </span>
      )}
    </label>
  );
}

/**
 * Commits on Enter or on leaving; what is no number is put back. What is being typed stays,
 * whatever is drawn anew meanwhile.
 *
 * @param {{label: string, value: number, step: number, max: number,
 *   onCommit: (value: number) => void}} props
 */
export function NumberField({ label, value, step, max, onCommit }) {
  const [typed, setTyped] = useState(/** @type {string | null} */ (null));
  return (
    <label>
      {label}
      <input
        type="number"
        min={0}
        {...{ max, step }}
        value={typed ?? value}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onChange={(event) => {
          const field = event.currentTarget;
          if (Number.isFinite(field.valueAsNumber)) onCommit(field.valueAsNumber);
          field.value = String(value); // also where there is nothing to draw anew
          setTyped(null);
        }}
      />
    </label>
  );
}
