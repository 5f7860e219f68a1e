// The panel's model and what Python found of it: one step at once, several when nobody drags.
// There is one question under way and never a queue: an answer is followed by the newest one.

import { python } from "./python.js";
import { describe, PythonLost } from "./python_errors.js";
import { Scene } from "./scene.js";

/**
 * @typedef {import("./exactness_types").CheckResult} CheckResult
 * @typedef {import("./exactness_types").ExactnessFrame} ExactnessFrame
 * @typedef {import("./exactness_types").SequencesPart} SequencesPart
 * @typedef {import("./exactness_types").SmallModel} SmallModel
 */

export class ExactnessCheck extends EventTarget {
  /** @type {SmallModel} */
  model;
  /** @type {CheckResult} the newest there is */
  oneStep;
  /** @type {CheckResult} the newest there is */
  sequences;
  /** @type {SequencesPart | null} how far the joint law of this very model is enumerated */
  progress = null;
  /** Whether a bar is being dragged. */
  held = false;
  /** Whether the results are this tab's, or those made when the page was built. */
  checkedHere = false;
  error = "";
  /** Whether a reader sees the panel: until then nothing is asked for it. */
  #seen = false;

  #scene = new Scene("exactness");
  #asked = 0; // counts models, and changes of the code
  #oneStepOf = 0; // which of them the result answers
  #sequencesOf = 0;
  #generation = 0; // of Python, and of the code in it
  #working = false;
  #closed = false;

  /** @param {ExactnessFrame} frame what was found when the page was built */
  constructor({ model, one_step, sequences }) {
    super();
    this.model = model;
    this.oneStep = one_step;
    this.sequences = sequences;
    python.addEventListener("change", this.#askAnew);
  }

  /** @param {boolean} seen whether the panel is on the screen, or nearly */
  see(seen) {
    this.#seen = seen;
    this.#askAnew();
    this.#work();
  }

  get oneStepIsOld() {
    return this.#oneStepOf !== this.#asked;
  }

  get sequencesAreOld() {
    return this.#sequencesOf !== this.#asked;
  }

  /**
   * @param {SmallModel} model
   * @param {boolean} held whether more is about to follow
   */
  use(model, held = false) {
    this.model = model;
    this.held = held;
    this.#ask();
  }

  /** The hand lets go: now there is time for the joint law. */
  release() {
    if (!this.held) return;
    this.held = false;
    this.#changed();
    this.#work();
  }

  close() {
    this.#closed = true;
    python.removeEventListener("change", this.#askAnew);
    this.#scene.release();
  }

  #askAnew = () => {
    if (!this.#seen || python.status.status !== "live") return;
    if (python.generation === this.#generation) return;
    this.#generation = python.generation;
    setTimeout(() => this.#ask()); // after those who waited for Python
  };

  #ask() {
    this.#asked += 1;
    this.progress = null;
    this.#changed();
    this.#work();
  }

  async #work() {
    if (this.#working || !this.#generation) return;
    this.#working = true;
    this.error = "";
    try {
      for (let action = this.#next; action; action = this.#next) {
        await this.#answer(action);
        this.#changed();
      }
    } catch (error) {
      // It is asked again when another Python is up, or the model changes.
      if (!(error instanceof PythonLost)) this.error = describe(error);
    }
    this.#working = false;
    this.#changed();
  }

  /** @returns {"one_step" | "sequences" | null} what there is to ask now */
  get #next() {
    if (this.#closed || !this.#seen) return null;
    if (this.oneStepIsOld) return "one_step";
    return this.sequencesAreOld && !this.held ? "sequences" : null;
  }

  /** @param {"one_step" | "sequences"} action */
  async #answer(action) {
    const asked = this.#asked;
    const answer = await this.#scene.call(action, { model: this.model });
    if (action === "one_step") {
      this.oneStep = answer; // of an earlier model it may be, but it is the newest there is
      this.#oneStepOf = asked;
    } else if (asked === this.#asked) {
      this.progress = /** @type {SequencesPart} */ (answer);
      if (answer.done) {
        this.sequences = answer.result;
        this.#sequencesOf = asked;
        this.checkedHere = true;
      }
    }
  }

  #changed() {
    if (!this.#closed) this.dispatchEvent(new Event("change"));
  }
}
