// One worker with a Python in it, from its start to its end. Whoever waits for an answer when
// it ends is told.

import { proxy, wrap } from "comlink";
import { makeWorker, take } from "./early_worker.js";

/**
 * @typedef {import("./types").CodeOutput} CodeOutput
 * @typedef {import("./types").Progress} Progress
 */

const PING_MS = 5000;

export class PythonWorker {
  #worker = take() ?? makeWorker(import.meta.url);
  /** @type {any} */
  #remote = wrap(this.#worker);
  /** @type {Set<(error: Error) => void>} */
  #waiting = new Set();
  #isUp = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #pingDeadline;
  #onFailure;

  /**
   * @param {(why: string, crashed?: boolean) => void} onFailure it is of no use any more and to be
   *   ended; crashed: what it was asked has done that
   */
  constructor(onFailure) {
    this.#onFailure = onFailure;
    this.#worker.onerror = (event) => {
      event.preventDefault();
      onFailure(this.#isUp ? "its worker failed" : "worker.js could not be loaded or failed");
    };
    this.#worker.onmessageerror = () => onFailure("an answer of its worker could not be read");
  }

  /**
   * @param {(progress: Progress) => void} onProgress
   * @param {(output: CodeOutput) => void} onOutput
   */
  async boot(onProgress, onOutput) {
    await this.ask("boot", proxy(onProgress), proxy(onOutput));
    this.#isUp = true;
  }

  /**
   * @param {string} code
   * @param {(progress: Progress) => void} onProgress
   */
  prepareFor(code, onProgress) {
    return this.ask("prepareFor", code, proxy(onProgress));
  }

  /**
   * @param {string} what a function of worker.js
   * @param {unknown[]} payload
   * @returns {Promise<any>} rejects, too, when the worker ends before it has answered
   */
  async ask(what, ...payload) {
    /** @type {(error: Error) => void} */
    let onEnd = () => {};
    try {
      return await new Promise((resolve, reject) => {
        onEnd = reject;
        this.#waiting.add(onEnd);
        this.#remote[what](...payload).then((/** @type {any} */ answer) => {
          if (answer?.crash) this.#onFailure(`its interpreter crashed (${answer.crash})`, true);
          else resolve(answer);
        }, reject);
      });
    } finally {
      this.#waiting.delete(onEnd);
    }
  }

  /** Asks for a sign of life from one that has nothing to do; only the last time counts. */
  async ping() {
    clearTimeout(this.#pingDeadline);
    const deadline = setTimeout(() => this.#onFailure("it did not answer any more"), PING_MS);
    this.#pingDeadline = deadline;
    await this.ask("ping").catch(() => {}); // then it has ended meanwhile
    clearTimeout(deadline);
  }

  /** @param {number} user */
  release(user) {
    this.#remote.release(user);
  }

  /** @param {Error} error what those hear who wait for an answer */
  end(error) {
    this.#worker.terminate();
    for (const reject of this.#waiting) reject(error);
  }
}
