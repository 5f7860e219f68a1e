// A playground's session as Python knows it. Whatever is asked of it is done whole, one thing
// after the other; a Python that does not know the session is told all of it first.

import { python } from "./python.js";
import { PythonLost } from "./python_errors.js";

/**
 * @template Opening, Replayed, Wanted, Made
 * @typedef {object} SceneOfSession
 * @property {(opening: Opening, goOn: (done: number) => boolean) => Promise<Replayed | null>} replay
 *   null if it was ended early
 * @property {(wanted: Wanted) => Promise<Made>} advance
 * @property {() => void} release
 */

/**
 * @template {{steps: number}} Opening what there is to tell Python
 * @template Replayed
 * @template Wanted what a step is made of
 * @template Made
 */
export class SessionInPython {
  /** How far a replay is. */
  notice = "";

  #scene;
  /** Which run this is: answers to an earlier one are dropped. */
  #run = 0;
  /** The generation of Python that knows the session; 0: none. */
  #knownTo = 0;
  /** How often Python was to be told all again: a replay from before is given up. */
  #tellings = 0;
  #ended = false;
  #last = Promise.resolve();
  #page;

  /**
   * @param {SceneOfSession<Opening, Replayed, Wanted, Made>} scene
   * @param {{opening: () => Opening, replayed: (replayed: Replayed) => void,
   *   changed: () => void}} page
   */
  constructor(scene, page) {
    this.#scene = scene;
    this.#page = page;
  }

  get run() {
    return this.#run;
  }

  get ended() {
    return this.#ended;
  }

  /** Whether Python knows the session as it stands. */
  get upToDate() {
    return this.#knownTo === python.generation;
  }

  /** Resolves when nothing is under way. */
  get settled() {
    return this.#last;
  }

  /**
   * Rejects if Python has failed: only what the reader does starts it anew.
   *
   * @param {() => Promise<void>} work asks Python once, before it does anything else: it begins
   *   again with another Python if this one is lost meanwhile
   */
  take(work) {
    const done = this.#last.then(() => this.#doWhole(work));
    this.#last = done.catch(() => {}); // who asked for the work hears of its failure
    return done;
  }

  /**
   * @param {Wanted} wanted
   * @returns {Promise<Made | null>} null if it is of a run that has ended meanwhile
   */
  async advance(wanted) {
    const run = this.#run;
    const made = await this.#scene.advance(wanted);
    return run === this.#run ? made : null;
  }

  /** Python is told all again before whatever is asked next. */
  forget() {
    this.#tellings += 1;
    this.#knownTo = 0;
  }

  /** The run is over, another one begins. */
  beginAnew() {
    this.#run += 1;
    this.forget();
  }

  /** Nothing more is asked. */
  end() {
    this.#run += 1;
    this.#tellings += 1;
    this.#ended = true;
    this.#last.then(() => this.#scene.release());
  }

  /** @param {() => Promise<void>} work */
  async #doWhole(work) {
    try {
      if (!this.#ended) await python.up();
      while (!this.#ended && !this.upToDate) await this.#replay();
      if (!this.#ended) await work();
    } catch (error) {
      if (!(error instanceof PythonLost)) throw error;
      await this.#doWhole(work);
    }
  }

  async #replay() {
    const tellings = this.#tellings;
    const { generation } = python;
    const opening = this.#page.opening();
    let replayed;
    try {
      replayed = await this.#scene.replay(opening, (done) => {
        this.notice = `Replaying step ${done} of ${opening.steps}`;
        this.#page.changed();
        return tellings === this.#tellings;
      });
    } finally {
      this.notice = "";
    }
    if (!replayed) return;
    this.#knownTo = generation;
    this.#page.replayed(replayed);
  }
}
