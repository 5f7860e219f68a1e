// The one Python of the tab, as widgets see it: where it is, and a way to call its scenes.
// The worker outlives page views (instant navigation), so Python boots once a tab. One that is
// lost is followed by another, by itself.

import { onPageReturn } from "./page_return.js";
import { Patience } from "./patience.js";
import { CodeProblem, describe, PythonLost } from "./python_errors.js";
import { PythonWorker } from "./python_worker.js";
import { ReadersCode } from "./readers_code.js";
import { unlessItStalls } from "./stall_watch.js";

/**
 * @typedef {import("./types").PythonStatus} PythonStatus
 * @typedef {import("./types").Progress} Progress
 * @typedef {import("./types").CodeOutput} CodeOutput
 */

const SLOW_MS = 8000; // still downloading after this long: say so and go on
const QUIET_MS = 30; // between two looks at whether anybody waits
const LATELY_MS = 60000; // lost again within so long: a third one would fare no better

class Python extends EventTarget {
  /** @type {PythonStatus} */
  status = Object.freeze({
    status: "idle", stage: "", loadedBytes: 0, totalBytes: 0, slow: false, late: false, busy: false,
    lost: "", failure: "", message: "",
  });
  /** @type {PythonWorker | undefined} */
  #worker;
  /** @type {Promise<void> | undefined} */
  #booting;
  /** Counts starts that succeeded and changes of code: what was opened earlier is gone. */
  generation = 0;
  #code = new ReadersCode({
    prepare: (text) => this.#prepareFor(text),
    run: async (file, text) => {
      const { problem } = await this.#answer("useCode", file, text);
      if (problem) throw new CodeProblem(problem);
    },
  });
  #patience = new Patience(
    () => this.#mayRunOn,
    (late) => this.#showLate(late),
    (seconds) => this.#giveUp(seconds),
  );
  /** @type {ReturnType<typeof setTimeout> | undefined} runs while the last loss is not long ago */
  #lostLately;

  constructor() {
    super();
    onPageReturn(() => this.#checkOn());
  }

  /**
   * Starts Python if it is not up; a failed start can be tried again.
   *
   * @returns {Promise<void>}
   */
  boot() {
    this.#booting ??= this.#start();
    return this.#booting;
  }

  /** As `boot`, but a start that failed is left to the reader to try again. */
  async up() {
    const { status, failure, message } = this.status;
    if (status === "failed") throw new Error(`${failure}: ${message}`);
    await this.boot();
  }

  /** Gives up whatever start is under way or failed; who waits for it waits for the new one. */
  retry() {
    this.#forgetLoss();
    this.#stop(new Error("the start was given up"));
    return this.boot();
  }

  /**
   * @param {number} user whose scene it is
   * @param {string} scene
   * @param {string} action
   * @param {Record<string, unknown>} payload
   */
  async call(user, scene, action, payload) {
    await this.boot();
    const { generation } = this;
    const { value, problem } = await this.#answer("call", user, scene, action, payload);
    if (!problem) return value;
    const error = new CodeProblem(problem);
    if (generation === this.generation) this.#tell(this.#code.blamed(error));
    throw error;
  }

  /**
   * Runs a reader's text in place of a file of specdec, or the file itself again.
   *
   * @param {string} file
   * @param {string | null} text
   * @returns {Promise<void>}
   * @throws {CodeProblem} it cannot run; what was in force stays so
   */
  async useCode(file, text) {
    await this.boot();
    try {
      await this.#code.use(file, text);
    } catch (error) {
      if (error instanceof PythonLost) return this.useCode(file, text);
      throw error;
    }
    this.generation += 1;
    this.#set({});
  }

  /**
   * Brings the packages that a text imports.
   *
   * @param {string} text
   */
  async #prepareFor(text) {
    const worker = this.#worker;
    if (!worker) return;
    const { stage } = this.status;
    try {
      await unlessItStalls(
        (onProgress) => worker.prepareFor(text, onProgress),
        (progress) => {
          if (this.#worker !== worker) return;
          const starting = progress.stage === "starting";
          this.#patience.pause(starting); // until it is done, the worker is deaf
          const { loadedBytes, totalBytes } = progress;
          const does = `${starting ? "Starting" : "Fetching"} what your code imports`;
          this.#set({ stage: does, loadedBytes, totalBytes });
        },
      );
    } finally {
      if (this.#worker === worker) {
        this.#patience.pause(false);
        this.#set({ stage });
      }
    }
  }

  /**
   * Ends a reader's code in the middle of what it does, and the worker with it. Python
   * starts anew at once: unless a text was being taken in, without any, for nobody knows
   * which of them would never end.
   *
   * @param {string} why
   */
  stopCode(why) {
    if (!this.#mayRunOn) return;
    const problem = new CodeProblem({ message: why });
    const blamed = this.#code.isTaken ? [] : this.#code.blamed(problem);
    if (blamed.length) this.#code.putOut();
    this.#stop(problem);
    this.boot().catch(() => {}); // its status says so
    this.#tell(blamed);
  }

  /** Whether the worker may be running a reader's code, which need not end. */
  get #mayRunOn() {
    return this.#code.isTaken || (this.#code.isInForce && this.status.status === "live");
  }

  /** @param {CodeProblem[]} problems of files in force: whoever put them there is told */
  #tell(problems) {
    for (const detail of problems) this.dispatchEvent(new CustomEvent("problem", { detail }));
  }

  /**
   * @param {string} what
   * @param {unknown[]} payload
   */
  #answer(what, ...payload) {
    const worker = /** @type {PythonWorker} */ (this.#worker);
    return this.#patience.wait(worker.ask(what, ...payload));
  }

  /** Resolves when nobody waits for an answer, so that what has time may be asked. */
  async quiet() {
    do await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    while (this.#patience.waits);
  }

  /** @param {number} user */
  release(user) {
    if (this.status.status === "live") this.#worker?.release(user);
  }

  /** @returns {Promise<void>} */
  async #start() {
    const worker = new PythonWorker((why, crashed) => this.#lose(worker, why, crashed));
    this.#worker = worker;
    this.#set({
      status: "booting", stage: "Fetching Python", loadedBytes: 0, slow: false, failure: "", message: "",
    });
    const isCurrent = () => this.#worker === worker;
    const slowTimer = setTimeout(() => isCurrent() && this.#set({ slow: true }), SLOW_MS);
    const onOutput = (/** @type {CodeOutput} */ detail) => {
      // A worker that is ended may go on for two seconds, and print.
      if (isCurrent()) this.dispatchEvent(new CustomEvent("output", { detail }));
    };
    try {
      await unlessItStalls(
        (onProgress) => worker.boot(onProgress, onOutput),
        ({ stage, loadedBytes, totalBytes }) => {
          if (!isCurrent()) return;
          this.#set({ stage: "Fetching Python", loadedBytes, totalBytes });
          if (stage !== "starting") return;
          clearTimeout(slowTimer);
          this.#set({ stage: "Starting Python", slow: false });
        },
        "worker.js",
      );
      this.#tell(await this.#code.useAgain(isCurrent));
      if (isCurrent()) {
        this.generation += 1;
        this.#set({ status: "live", stage: "", slow: false });
      }
    } catch (error) {
      if (isCurrent()) {
        this.#fail("Python could not start", describe(error));
        throw error;
      }
    } finally {
      clearTimeout(slowTimer);
    }
    if (!isCurrent()) return this.boot(); // it was given up: who waits gets the next one
  }

  /**
   * A worker is of no use any more: another is started, unless that has just been tried. What
   * a reader's code may have done is told as its problem.
   *
   * @param {PythonWorker} worker
   * @param {string} why
   * @param {boolean} [crashed] by what it was doing, for certain
   */
  #lose(worker, why, crashed = false) {
    if (this.#worker !== worker) return;
    const { status } = this.status;
    const guilty = this.#mayRunOn && this.#patience.waits && (crashed || this.#lostLately);
    if (this.#code.isTaken || guilty) this.stopCode(`It brought Python down: ${why}`);
    else if (status !== "live") this.#worker.end(new Error(why));
    else if (this.#lostLately) this.#fail("Python stopped twice within a minute", why);
    else {
      this.#lostLately = setTimeout(() => this.#forgetLoss(), LATELY_MS);
      this.#stop(new PythonLost(`Python stopped: ${why}`));
      this.#set({ lost: why });
      this.boot().catch(() => {}); // its status says so
    }
  }

  #forgetLoss() {
    clearTimeout(this.#lostLately);
    this.#lostLately = undefined;
    this.#set({ lost: "" });
  }

  /** Browsers may end a worker whose page is out of sight. */
  #checkOn() {
    if (this.status.status === "live" && !this.#patience.waits) this.#worker?.ping();
  }

  /** @param {boolean} late whether an answer is */
  #showLate(late) {
    const busy = late && this.#mayRunOn;
    if (late !== this.status.late || busy !== this.status.busy) this.#set({ late, busy });
  }

  /** @param {number} seconds for which there was no answer */
  #giveUp(seconds) {
    if (this.#mayRunOn) this.stopCode(`It did not finish within ${seconds} seconds and was stopped`);
    else if (this.#worker) this.#lose(this.#worker, `it gave no answer for ${seconds} s`);
  }

  /**
   * @param {string} failure
   * @param {string} message its cause
   */
  #fail(failure, message) {
    this.#stop(new Error(`${failure}: ${message}`));
    this.#set({ status: "failed", slow: false, failure, message });
  }

  /** @param {Error} error what those hear who wait for an answer */
  #stop(error) {
    this.#patience.pause(false);
    this.#worker?.end(error);
    this.#worker = undefined;
    this.#booting = undefined;
  }

  /** @param {Partial<PythonStatus>} change */
  #set(change) {
    this.status = Object.freeze({ ...this.status, ...change });
    this.dispatchEvent(new Event("change"));
  }
}

export const python = new Python();
