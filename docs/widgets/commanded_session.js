// What the lab's sessions share: the reader's commands, of which the newest counts; work that waits
// for Python and may fail; and a Python that is told the session whenever it is another one.

import { python } from "./python.js";
import { describe } from "./python_errors.js";
import { SessionInPython } from "./session_in_python.js";

const PLAYED_STEPS = 10; // a picture, while a prediction is being tested

/**
 * @template {{steps: number}} Opening
 * @template Replayed
 * @template Wanted
 * @template Made
 */
export class CommandedSession extends EventTarget {
  running = false;
  /** How many presses wait for Python. */
  waiting = 0;
  error = "";

  /** @protected */
  inPython;
  /** @protected whether a prediction is being tested */
  predicting = false;

  #page;
  #newest = 0; // the number of the newest command
  #runWhenUp = false; // what a Python that failed could not go on with

  /**
   * @param {import("./session_in_python.js").SceneOfSession<Opening, Replayed, Wanted, Made>} scene
   * @param {{
   *   opening: () => Opening, replayed: (replayed: Replayed) => void, hurry: () => void,
   *   begins?: () => void, goOn: (isOn: () => boolean) => Promise<void>,
   *   isFinished: () => boolean}} page
   *   opening: what there is to tell Python; replayed: what it came to; hurry: what is being shown
   *   ends at once; begins: a run does; goOn: makes what a run shows next; isFinished: there is no
   *   more to make
   */
  constructor(scene, page) {
    super();
    this.#page = page;
    this.inPython = new SessionInPython(scene, { ...page, changed: () => this.changed() });
  }

  get notice() {
    return this.inPython.notice;
  }

  /** Resolves when nothing is under way in Python. */
  get settled() {
    return this.inPython.settled;
  }

  /**
   * Python is brought to where the page stands as soon as it is up, and whenever it is another
   * one; a run asked for in vain before begins then.
   */
  connect() {
    python.addEventListener("change", this.#keepUp);
    this.#keepUp();
  }

  /** Nothing of this session goes on after this. */
  close() {
    this.begin();
    python.removeEventListener("change", this.#keepUp);
    this.inPython.end();
  }

  async run() {
    const isOn = this.begin();
    this.running = true;
    this.#page.begins?.();
    await this.awaited(async () => {
      await this.open();
      while (isOn() && !this.#page.isFinished() && !this.inPython.ended) {
        await this.#page.goOn(isOn);
      }
    });
    if (isOn()) {
      this.running = false;
      this.#runWhenUp = python.status.status === "failed";
    }
    this.changed();
  }

  pause() {
    this.begin();
    this.changed();
  }

  /**
   * Ends what is going on; the next command starts from a whole step.
   *
   * @protected
   * @returns {() => boolean} whether the command that begins with this is still the newest
   */
  begin() {
    this.#newest += 1;
    const command = this.#newest;
    this.running = false;
    this.#runWhenUp = false;
    this.predicting = false;
    this.#page.hurry();
    return () => command === this.#newest;
  }

  /**
   * Plays segments without stopping between them, as a prediction asks.
   *
   * @protected
   * @template {{steps: number}} Segment
   * @template State
   * @param {Segment[]} segments
   * @param {{
   *   restart: () => Promise<void>, enter: (segment: Segment) => void,
   *   make: (count: number, segment: Segment, isOn: () => boolean) => Promise<void>,
   *   state: () => State}} how
   *   restart: the session begins anew; enter: the reader's settings become a segment's; make:
   *   steps of it; state: where it stands
   * @returns {Promise<State[] | null>} where each segment ended; null if interrupted
   */
  async playSegments(segments, { restart, enter, make, state }) {
    const isOn = this.begin();
    this.running = true;
    this.predicting = true;
    this.error = "";
    const states = [];
    try {
      await restart();
      for (const segment of segments) {
        if (isOn()) enter(segment);
        for (let left = segment.steps; left > 0 && isOn(); left -= PLAYED_STEPS) {
          await make(Math.min(PLAYED_STEPS, left), segment, isOn);
        }
        states.push(state());
      }
      return isOn() ? states : null;
    } finally {
      if (isOn()) this.begin();
      this.changed();
    }
  }

  /** @protected */
  async open() {
    await python.boot();
    await this.#catchUp();
  }

  /**
   * @protected
   * @param {() => Promise<void>} work what a press asks for; until it is done, it waits
   */
  async awaited(work) {
    this.waiting += 1;
    this.changed();
    python.boot().catch(() => {}); // also one that failed: the work hears of it
    await this.guarded(work);
    this.waiting -= 1;
    this.changed();
  }

  /**
   * @protected
   * @param {() => Promise<void>} work a failure is shown, never silent
   */
  async guarded(work) {
    this.error = "";
    try {
      await work();
    } catch (error) {
      this.running = false;
      // While Python is down or on its way back, its own note says so.
      if (python.status.status === "live") this.error = describe(error);
    }
    this.changed();
  }

  /** @protected */
  changed() {
    this.dispatchEvent(new Event("change"));
  }

  async #catchUp() {
    await this.inPython.take(async () => {}); // which replays what Python does not know
    if (this.#runWhenUp && !this.running) this.run();
  }

  /** A Python that does not know the session is told of it, also when only its code is new. */
  #keepUp = () => {
    if (python.status.status !== "live" || this.inPython.upToDate) return;
    this.#page.hurry();
    this.guarded(() => this.#catchUp());
  };
}
