// How fast a run is shown, and waits that a reader can cut short.

/**
 * Speeds by name: times are divided by `factor`; `steps` at once and no animation where
 * motion would be a blur (factor 0).
 */
export const SPEEDS = /** @type {const} */ ({
  slow: { factor: 0.4, steps: 1 },
  normal: { factor: 1, steps: 1 },
  fast: { factor: 4, steps: 1 },
  max: { factor: 0, steps: 10 },
});

/** @typedef {keyof typeof SPEEDS} Speed */

export const SPEED_NAMES = /** @type {Speed[]} */ (Object.keys(SPEEDS));

/** One wait at a time; `hurry` ends it. */
export class Pause {
  #end = () => {};

  /** @param {number} ms */
  wait(ms) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#end = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
  }

  hurry() {
    this.#end();
  }
}

/** Whether the reader asked for stillness. */
export const wantsStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
