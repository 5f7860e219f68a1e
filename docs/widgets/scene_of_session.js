// What a session asks of its scene in Python: steps, or the replay of all of it.

import { Scene } from "./scene.js";

/**
 * @typedef {import("./scene_types").SceneLog} SceneLog
 * @typedef {import("./scene_types").SceneSettings} SceneSettings
 * @typedef {import("./scene_types").SceneState} SceneState
 */

const CHUNK = 50; // steps a call when none is shown by itself

export class SceneOfSession {
  #scene;

  /** @param {string} name docs/scenes/<name>.py */
  constructor(name) {
    this.#scene = new Scene(name);
  }

  /**
   * @param {{settings: SceneSettings, count: number}} wanted count 0: the picture, and no step
   * @returns {Promise<SceneState>}
   */
  advance(wanted) {
    return this.#scene.call("advance", wanted);
  }

  /**
   * Begins a session in Python and runs its log: everything is a function of the two.
   *
   * @param {SceneLog & {settings: SceneSettings}} session settings: those of the picture at its end
   * @param {(done: number) => boolean} goOn told how many steps are made; false ends the replay
   * @returns {Promise<{state: SceneState, settings: SceneSettings} | null>} null if ended early
   */
  async replay({ seed, steps, log, settings }, goOn) {
    await this.#scene.call("open", { seed });
    for (const [i, [start, then]] of log.entries()) {
      const end = log[i + 1]?.[0] ?? steps;
      for (let done = start; done < end; done += CHUNK) {
        if (!goOn(done)) return null;
        await this.advance({ settings: then, count: Math.min(CHUNK, end - done) });
      }
    }
    const state = await this.advance({ settings, count: 0 });
    return goOn(steps) ? { state, settings } : null;
  }

  release() {
    this.#scene.release();
  }
}
