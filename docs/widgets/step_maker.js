// Has steps made in Python, each in its turn, and hands them to the stage.

import { SPEEDS } from "./pacing.js";

/**
 * @typedef {import("./types").Run} Run
 * @typedef {import("./types").Settings} Settings
 * @typedef {{settings: Settings, costRatio: number, lines: boolean}} Wanted
 * @typedef {import("./session_in_python.js").SessionInPython<
 *   import("./session_address.js").Opening & Wanted,
 *   {frames: import("./types").Frame[], pace: import("./types").Pace[],
 *     state: import("./types").State}, Wanted & {count: number}, Run>} PlaygroundInPython
 */

export class StepMaker {
  #steps;
  #player;
  #inPython;
  #wanted;

  /**
   * @param {import("./steps_shown.js").StepsShown} steps
   * @param {import("./step_player.js").StepPlayer} player
   * @param {PlaygroundInPython} inPython
   * @param {() => Wanted} wanted just now
   */
  constructor(steps, player, inPython, wanted) {
    this.#steps = steps;
    this.#player = player;
    this.#inPython = inPython;
    this.#wanted = wanted;
  }

  /**
   * One more step, unless the run that is on now has ended when its turn comes.
   *
   * @param {(made: Run) => Promise<void> | void} show
   */
  one(show) {
    const { run } = this.#inPython;
    return this.#inPython.take(async () => {
      this.#steps.end();
      if (run !== this.#inPython.run || this.#steps.state.finished) return;
      const made = await this.#make(1);
      if (made) await show(made);
    });
  }

  /**
   * What a run shows next: where a walk through lines has stopped, it goes on there.
   *
   * @param {() => boolean} isOn whether the run is
   */
  ofRun(isOn) {
    return this.#inPython.take(async () => {
      if (!isOn()) return;
      const resumes = !this.#steps.finished && this.#wanted().lines && this.#player.animates;
      if (resumes) await this.#player.lines();
      else {
        this.#steps.end();
        if (this.#steps.state.finished) return;
        const made = await this.#make(SPEEDS[this.#player.speed].steps);
        if (made) await this.#player.present(made, isOn());
      }
      if (isOn()) await this.#player.rest();
    });
  }

  /**
   * Several steps at once, all that a glance takes in.
   *
   * @param {number} count
   * @param {Settings} settings
   * @param {() => boolean} isOn
   */
  several(count, settings, isOn) {
    return this.#inPython.take(async () => {
      if (!isOn()) return;
      const made = await this.#make(count, settings);
      if (!made) return;
      await this.#player.present(made, false);
      await this.#player.glance();
    });
  }

  /** The figures anew: none is made. */
  none() {
    return this.#inPython.take(async () => {
      const made = await this.#make(0);
      if (made) this.#steps.refresh(made.state);
    });
  }

  /** @param {number} count */
  #make(count, settings = this.#wanted().settings) {
    return this.#inPython.advance({ ...this.#wanted(), settings, count });
  }
}
