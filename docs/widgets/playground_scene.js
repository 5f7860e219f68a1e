// What the playground asks of its scene in Python: a step, or the replay of a whole session.

import { Scene } from "./scene.js";

/**
 * @typedef {import("./types").Settings} Settings
 * @typedef {import("./types").Frame} Frame
 * @typedef {import("./types").Pace} Pace
 * @typedef {import("./types").Run} Run
 * @typedef {import("./types").State} State
 * @typedef {import("./session_address.js").Opening} Opening
 */

const CHUNK = 50; // steps a call when nothing is animated

export const FRAMES_KEPT = 60; // steps whose tokens are on the page

export class PlaygroundScene {
  #scene = new Scene("playground");

  /**
   * @param {{settings: Settings, count: number, costRatio: number, lines: boolean}} wanted
   *   lines: whether the last step comes with the lines that made it
   * @returns {Promise<Run>}
   */
  advance({ settings, count, costRatio, lines }) {
    return this.#scene.call("advance", { ...settings, count, cost_ratio: costRatio, lines });
  }

  /**
   * Begins a session in Python and runs its log: everything is a function of the two.
   *
   * @param {Opening & {lines: boolean}} opening lines: as for `advance`
   * @param {(done: number) => boolean} goOn told how many steps are made; false ends the replay
   * @returns {Promise<{frames: Frame[], pace: Pace[], state: State} | null>} null if ended early
   */
  async replay({ seed, costRatio, steps, log, lines }, goOn) {
    const begun = await this.#scene.call("open", { seed, cost_ratio: costRatio });
    /** @type {Frame[]} */
    let frames = [];
    /** @type {Pace[]} */
    const pace = [];
    let state = /** @type {State} */ (begun.state);
    for (const [i, [start, settings]] of log.entries()) {
      const end = log[i + 1]?.[0] ?? steps;
      for (let done = start; done < end; done += CHUNK) {
        if (!goOn(done)) return null;
        const count = Math.min(CHUNK, end - done);
        const last = lines && done + count === steps;
        const run = await this.advance({ settings, count, costRatio, lines: last });
        frames = [...frames, ...run.frames].slice(-FRAMES_KEPT);
        for (const frame of run.frames) pace.push(frame.pace);
        state = run.state;
      }
    }
    return goOn(steps) ? { frames, pace, state } : null;
  }

  release() {
    this.#scene.release();
  }
}
