// A scene of Python's (docs/scenes/<name>.py), as one widget uses it.

import { python } from "./python.js";

let users = 0;

/** A scene of one's own in Python: no other user of the same name touches its state. */
export class Scene {
  #user = ++users;
  #name;

  /** @param {string} name docs/scenes/<name>.py */
  constructor(name) {
    this.#name = name;
  }

  /**
   * @param {string} action one of the scene's ACTIONS
   * @param {Record<string, unknown>} payload its keyword arguments
   */
  call(action, payload = {}) {
    return python.call(this.#user, this.#name, action, payload);
  }

  /** Frees what the scene holds in Python. */
  release() {
    python.release(this.#user);
  }
}
