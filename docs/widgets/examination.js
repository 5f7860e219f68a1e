// What a scene's `examine` says of the newest settings. It is slow, so it is asked when nobody
// waits for anything else, and answers null until all its parts are done.

import { python } from "./python.js";
import { CodeProblem, describe } from "./python_errors.js";
import { Scene } from "./scene.js";
import { sameSettings } from "./scene_address.js";

/** @typedef {import("./scene_types").SceneSettings} SceneSettings */

export class Examination extends EventTarget {
  /** @type {any} */
  found = null;
  /** Why there is nothing to be found, if there is not. */
  failure = "";

  #scene;
  #asking = false;
  #ended = false;
  /** @type {SceneSettings | undefined} what was found is about these */
  #settings;
  #generation = 0; // of the Python that found it; 0: the build's

  /**
   * @param {string} name docs/scenes/<name>.py
   * @param {[found: any, settings: SceneSettings] | null} built
   */
  constructor(name, built) {
    super();
    this.#scene = new Scene(name);
    if (built) [this.found, this.#settings] = built;
  }

  /** @param {SceneSettings} settings */
  isOf(settings) {
    return sameSettings(this.#settings, settings);
  }

  /** @param {() => SceneSettings} newest */
  async ask(newest) {
    if (this.#asking) return;
    this.#asking = true;
    try {
      while (this.#isWanted(newest())) {
        await python.quiet(); // a reader's steps come first
        if (this.#ended) break;
        const settings = newest();
        const { generation } = python;
        this.failure = "";
        const found = await this.#scene.callAnew("examine", { settings });
        if (found === null) continue;
        this.found = found;
        this.#settings = settings;
        this.#generation = generation;
        this.dispatchEvent(new Event("change"));
      }
    } catch (error) {
      // Code at fault gives way to the last good one, which is examined then.
      if (!(error instanceof CodeProblem)) this.failure = describe(error);
      this.dispatchEvent(new Event("change"));
    }
    this.#asking = false;
  }

  end() {
    this.#ended = true;
    this.#scene.release();
  }

  /** @param {SceneSettings} settings */
  #isWanted(settings) {
    const known = this.isOf(settings) && this.#generation === python.generation;
    return !known && !this.#ended && python.status.status === "live";
  }
}
