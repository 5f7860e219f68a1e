// Whatever a session asks of Python is done whole, one thing after the other, and by a Python
// that knows the session: one that does not is told everything again.

import { python } from "./python.js";

export class PythonTurns {
  /** The generation of Python that knows the session; 0: none. */
  #knownTo = 0;
  #ended = false;
  #last = Promise.resolve();
  #replay;

  /** @param {() => Promise<boolean>} replay tells Python all; false if that came to nothing */
  constructor(replay) {
    this.#replay = replay;
  }

  /** Resolves when nothing is under way. */
  get settled() {
    return this.#last;
  }

  /** @param {() => Promise<void>} work */
  take(work) {
    const done = this.#last.then(async () => {
      if (!this.#ended) await python.boot(); // it may have died since
      while (!this.#ended && this.#knownTo !== python.generation) {
        const { generation } = python;
        if (await this.#replay()) this.#knownTo = generation;
      }
      if (!this.#ended) await work();
    });
    this.#last = done.catch(() => {}); // who asked for the work hears of its failure
    return done;
  }

  /** The next turn begins with a replay. */
  forget() {
    this.#knownTo = 0;
  }

  /** No turn begins after this. */
  end() {
    this.#ended = true;
  }
}
