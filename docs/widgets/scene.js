// A scene of Python's (docs/scenes/<name>.py), as one widget uses it.

import { python } from "./python.js";
import { PythonLost } from "./python_errors.js";

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

  /**
   * As `call`, for an action that needs nothing of those before it: if the Python that was
   * asked is lost, the next one is.
   *
   * @param {string} action
   * @param {Record<string, unknown>} payload
   * @returns {Promise<any>}
   */
  async callAnew(action, payload) {
    try {
      return await this.call(action, payload);
    } catch (error) {
      if (error instanceof PythonLost) return this.callAnew(action, payload);
      throw error;
    }
  }

  /** Frees what the scene holds in Python. */
  release() {
    python.release(this.#user);
  }
}
