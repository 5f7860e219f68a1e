// The playground's session as Python knows it. Whatever is asked of it is done whole, one thing
// after the other; a Python that does not know the session is told all of it first.

import { PlaygroundScene } from "./playground_scene.js";
import { python } from "./python.js";
import { PythonLost } from "./python_errors.js";

/**
 * @typedef {import("./types").Run} Run
 * @typedef {import("./types").Settings} Settings
 * @typedef {Parameters<PlaygroundScene["replay"]>[0]} Opening
 * @typedef {NonNullable<Awaited<ReturnType<PlaygroundScene["replay"]>>>} Replayed
 */

export class SessionInPython {
  /** How far a replay is. */
  notice = "";

  #scene = new PlaygroundScene();
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
   * @param {{opening: () => Opening, replayed: (steps: Replayed) => void,
   *   changed: () => void}} page opening: what there is to tell Python
   */
  constructor(page) {
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
   * @param {Settings} settings
   * @param {{count: number, costRatio: number, lines: boolean}} wanted
   * @returns {Promise<Run | null>} null if it is of a run that has ended meanwhile
   */
  async advance(settings, { count, costRatio, lines }) {
    const run = this.#run;
    const made = await this.#scene.advance(settings, count, costRatio, lines);
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
