// Plays the newest step on the stage: guess by guess and then the verdict, or line by line.

import { Pause, SPEEDS, wantsStillness } from "./pacing.js";

const GUESS_MS = 190;
const BEFORE_VERDICT_MS = 260;
const VERDICT_MS = 420;
const LINE_MS = 80;
const DRAWING_LINE_MS = 240; // a line that draws makes a chip
const AFTER_STEP_MS = 560;
const STILL_STEP_MS = 900; // a step's time when nothing moves (reduced motion)
const UNANIMATED_MS = 40;

export class StepPlayer {
  /** @type {import("./pacing.js").Speed} */
  speed = "normal";

  #steps;
  #changed;
  #walkTo;
  #pause = new Pause();
  #performance = 0; // one that is no longer the newest has been stopped
  /** Whether a step is being played. */
  playing = false;

  /**
   * @param {import("./steps_shown.js").StepsShown} steps
   * @param {() => void} changed
   * @param {(at: number) => void} walkTo this line of the newest step
   */
  constructor(steps, changed, walkTo) {
    this.#steps = steps;
    this.#changed = changed;
    this.#walkTo = walkTo;
  }

  /** Whether a step can be played: the speed has pictures, and the reader wants motion. */
  get animates() {
    return SPEEDS[this.speed].factor > 0 && !wantsStillness();
  }

  /** What is being played goes no further. */
  stop() {
    this.#performance += 1;
    this.playing = false;
    this.#pause.hurry();
  }

  /** @param {import("./pacing.js").Speed} speed from now on, also of what is being played */
  setSpeed(speed) {
    this.speed = speed;
    this.#pause.hurry();
  }

  /**
   * @param {import("./types").Run} run just made
   * @param {boolean} played unless nothing is, at this speed or for this reader
   */
  async present(run, played) {
    this.#steps.begin(run);
    if (!played || !this.animates) this.#steps.end();
    else if (this.#steps.lines) await this.lines();
    else await this.#guesses();
    this.#changed();
  }

  /** Plays a step that was begun: its guesses, and at its end, or when stopped, the rest. */
  #guesses() {
    return this.#play(async (goesOn) => {
      const { cells } = this.#steps.frames[this.#steps.frames.length - 1];
      for (let guesses = 1; guesses < cells.length; guesses += 1) {
        this.#steps.show({ guesses, checked: 0, own: false });
        this.#changed();
        if (!(await goesOn(GUESS_MS))) break;
      }
      await goesOn(BEFORE_VERDICT_MS);
      this.#steps.end();
      this.#changed();
      await goesOn(VERDICT_MS);
    });
  }

  /** Plays the lines from where the reader stands; when stopped, the reader stands there. */
  lines() {
    return this.#play(async (goesOn) => {
      const { lines } = this.#steps;
      while (lines && this.#steps.at < lines.length - 1) {
        const draws = lines.at(this.#steps.at).uniforms.length > 0;
        if (!(await goesOn(draws ? DRAWING_LINE_MS : LINE_MS))) return;
        this.#walkTo(this.#steps.at + 1);
      }
    });
  }

  /** Leaves the reader time after a step of a run. */
  rest() {
    const { factor } = SPEEDS[this.speed];
    if (!factor) return this.glance();
    return this.#pause.wait((this.animates ? AFTER_STEP_MS : STILL_STEP_MS) / factor);
  }

  /** Leaves the reader a moment. */
  glance() {
    return this.#pause.wait(UNANIMATED_MS);
  }

  /** @param {(goesOn: (ms: number) => Promise<boolean>) => Promise<void>} performance */
  async #play(performance) {
    this.stop();
    const mine = this.#performance;
    this.playing = true;
    try {
      await performance(async (ms) => {
        const { factor } = SPEEDS[this.speed];
        if (factor && mine === this.#performance) await this.#pause.wait(ms / factor);
        return mine === this.#performance;
      });
    } finally {
      if (mine === this.#performance) this.playing = false;
    }
  }
}
