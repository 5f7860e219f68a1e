// The one Python of the tab, as widgets see it: where it is, and a way to call its scenes.
// The worker outlives page views (instant navigation), so Python boots once a tab.

import { proxy, wrap } from "comlink";
import { Patience } from "./patience.js";
import { STALL_MS, unlessItStalls } from "./stall_watch.js";

/**
 * @typedef {import("./types").PythonStatus} PythonStatus
 * @typedef {import("./types").Progress} Progress
 * @typedef {import("./types").CodeOutput} CodeOutput
 */

const SLOW_MS = 8000; // still downloading after this long: say so and go on
const START_MS = 60000; // compiling and starting, which reports no progress

const SITE_ROOT = new URL("../../../", import.meta.url).href; // from build/<version>/widgets/

/** A reader's code is at fault: it is no Python, raised, gave nonsense, or never ended. */
export class CodeProblem extends Error {
  name = "CodeProblem";

  /** @param {{message: string, line: number | null | undefined}} problem line: from 1 */
  constructor({ message, line }) {
    super(message);
    this.line = line ?? null;
  }
}

class Python extends EventTarget {
  /** @type {PythonStatus} */
  status = Object.freeze({
    status: "idle", stage: "", loadedBytes: 0, totalBytes: 0, slow: false, busy: false, message: "",
  });
  /** @type {Worker | undefined} */
  #worker;
  /** @type {any} */
  #remote;
  /** @type {Promise<void> | undefined} */
  #booting;
  /** @type {Promise<never>} rejects when the worker that is up dies */
  #death = new Promise(() => {});
  /** Ends that promise: whatever waits for an answer hears of the error. */
  #die = (/** @type {Error} */ _error) => {};
  /** Counts starts that succeeded and changes of code: what was opened earlier is gone. */
  generation = 0;
  /** @type {string | null} the reader's code in force; null: the file itself */
  #code = null;
  #trying = false; // a reader's code is being taken in
  #patience = new Patience(
    () => this.#mayRunOn,
    (busy) => busy !== this.status.busy && this.#set({ busy }),
    (why) => this.stopCode(why),
  );
  /** Ends the start under way without a failure. */
  #giveUp = () => {};

  /**
   * Starts Python if it is not up; a failed start can be tried again.
   *
   * @returns {Promise<void>}
   */
  boot() {
    this.#booting ??= this.#start();
    return this.#booting;
  }

  /** Gives up whatever start is under way or failed; who waits for it waits for the new one. */
  retry() {
    const giveUp = this.#giveUp;
    this.#stop();
    const booting = this.boot();
    giveUp();
    return booting;
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
    try {
      return await this.#answer(this.#remote.call(user, scene, action, payload));
    } catch (error) {
      if (error instanceof CodeProblem && generation === this.generation) this.#blame(error);
      throw error;
    }
  }

  /**
   * Runs a reader's text in place of the module, or the module itself again.
   *
   * @param {string | null} text
   * @throws {CodeProblem} it cannot run; what was in force stays so
   */
  async useCode(text) {
    await this.boot();
    if (text !== null) await Promise.race([this.#prepareFor(text), this.#death]);
    this.#trying = text !== null;
    try {
      await this.#answer(this.#remote.useCode(text));
    } finally {
      this.#trying = false;
    }
    this.#code = text;
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
    const { stage } = this.status;
    try {
      await unlessItStalls(
        (onProgress) => this.#remote.prepareFor(text, proxy(onProgress)),
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
   * starts anew at once: without that code if it was in force, for it may never end.
   *
   * @param {string} why
   */
  stopCode(why) {
    if (!this.#mayRunOn) return;
    const problem = new CodeProblem({ message: why, line: null });
    const inForce = !this.#trying;
    if (inForce) this.#code = null;
    this.#stop();
    this.#die(problem);
    this.boot().catch(() => {}); // its status says so
    if (inForce) this.#blame(problem);
  }

  /** Whether the worker may be running a reader's code, which need not end. */
  get #mayRunOn() {
    return this.#trying || (this.#code !== null && this.status.status === "live");
  }

  /** @param {CodeProblem} problem of the code in force: whoever put it there is told */
  #blame(problem) {
    this.dispatchEvent(new CustomEvent("problem", { detail: problem }));
  }

  /** @param {Promise<{value?: any, problem?: {message: string, line: number | null}}>} asked */
  async #answer(asked) {
    const { value, problem } = await this.#patience.wait(Promise.race([asked, this.#death]));
    if (problem) throw new CodeProblem(problem);
    return value;
  }

  /** @param {number} user */
  release(user) {
    if (this.status.status === "live") this.#remote.release(user);
  }

  /** @returns {Promise<void>} */
  async #start() {
    const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.#worker = worker;
    this.#remote = wrap(worker);
    this.#set({ status: "booting", stage: "Fetching Python", loadedBytes: 0, slow: false, message: "" });
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let watchdog;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let slowTimer;
    try {
      await new Promise((resolve, reject) => {
        this.#giveUp = () => resolve(undefined);
        const watch = (/** @type {number} */ ms, /** @type {string} */ what) => {
          clearTimeout(watchdog);
          watchdog = setTimeout(() => reject(new Error(what)), ms);
        };
        watch(STALL_MS, "worker.js or the list of files (manifest.json) did not arrive");
        slowTimer = setTimeout(() => {
          if (this.#worker === worker) this.#set({ slow: true });
        }, SLOW_MS);
        worker.onerror = (event) => {
          event.preventDefault();
          reject(new Error("worker.js could not be loaded or failed"));
        };
        const onProgress = (/** @type {Progress} */ progress) => {
          if (this.#worker !== worker) return;
          const { stage, loadedBytes, totalBytes, waitingFor } = progress;
          if (stage === "starting") {
            clearTimeout(slowTimer);
            watch(START_MS, `Python did not start within ${START_MS / 1000} s`);
            this.#set({ stage: "Starting Python", loadedBytes, totalBytes, slow: false });
          } else {
            watch(STALL_MS, `${waitingFor.join(", ")}: no data for ${STALL_MS / 1000} s`);
            this.#set({ stage: "Fetching Python", loadedBytes, totalBytes });
          }
        };
        const onOutput = (/** @type {CodeOutput} */ detail) =>
          this.dispatchEvent(new CustomEvent("output", { detail }));
        this.#remote.boot(SITE_ROOT, proxy(onProgress), proxy(onOutput)).then(resolve, reject);
      });
      if (this.#worker !== worker) return this.boot();
      this.#watchOver(worker);
      if (this.#code !== null) await this.#useCodeAgain(this.#code);
      if (this.#worker !== worker) return this.boot();
      this.generation += 1;
      this.#set({ status: "live", stage: "" });
    } catch (error) {
      if (this.#worker === worker) {
        this.#stop();
        this.#set({ status: "failed", slow: false, message: describe(error) });
      }
      throw error;
    } finally {
      clearTimeout(watchdog);
      clearTimeout(slowTimer);
    }
  }

  /** @param {string} code in force before this start; it was good then */
  async #useCodeAgain(code) {
    this.#code = null; // unless it comes to its end again
    this.#trying = true;
    try {
      await this.#prepareFor(code);
      await this.#answer(this.#remote.useCode(code));
      this.#code = code;
    } catch (error) {
      this.#blame(new CodeProblem({ message: describe(error), line: null }));
    } finally {
      this.#trying = false;
    }
  }

  /** @param {Worker} worker one that is up: should it die, those who wait for it are told */
  #watchOver(worker) {
    this.#death = new Promise((_, reject) => {
      this.#die = reject;
      worker.onerror = (event) => {
        event.preventDefault();
        if (this.#worker !== worker) return;
        this.#stop();
        const message = "Python stopped: its worker failed";
        this.#set({ status: "failed", message });
        reject(new Error(message));
      };
    });
    this.#death.catch(() => {}); // nobody may be waiting just then
  }

  #stop() {
    this.#patience.pause(false);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#booting = undefined;
  }

  /** @param {Partial<PythonStatus>} change */
  #set(change) {
    this.status = Object.freeze({ ...this.status, ...change });
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * @param {unknown} error
 * @returns {string} one line a reader can use: of a Python traceback, its last
 */
export function describe(error) {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split("\n").at(-1) ?? text;
}

export const python = new Python();
