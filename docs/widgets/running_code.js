// What this tab's Python says of a file's code in force: its SHA-256, and of speculative.py the
// verdict of enumeration. Asked once for each code, as soon as Python is up and has answered those
// who waited for it.

import { codeInUse } from "./code_in_use.js";
import { python } from "./python.js";
import { CodeProblem, describe } from "./python_errors.js";
import { Scene } from "./scene.js";

/** @typedef {import("./types").Certificate} Certificate */

const CERTIFIED = "speculative.py";

/** @type {Map<string, RunningCode>} */
const known = new Map();

/**
 * @param {string} file of specdec: "speculative.py", ...
 * @returns {RunningCode} one object a file
 */
export function runningCode(file) {
  const running = known.get(file) ?? new RunningCode(file);
  known.set(file, running);
  return running;
}

class RunningCode extends EventTarget {
  sha256 = "";
  /** @type {number[]} the lines, from 1, that are not the file's */
  changedLines = [];
  /**
   * @type {Certificate | null} null until this tab has enumerated all models, or found one wrong:
   *   of speculative.py alone
   */
  certificate = null;
  /** Why Python could not say, if it could not. */
  failure = "";

  #scene = new Scene("running_code");
  #asking = false;
  /** @type {string | null | undefined} the code that the answers are about */
  #text;
  #file;
  #code;

  /** @param {string} file */
  constructor(file) {
    super();
    this.#file = file;
    this.#code = codeInUse(file);
    const askSoon = () => {
      if (python.status.status === "live") setTimeout(() => this.#ask(), 0);
    };
    python.addEventListener("change", askSoon);
    this.#code.addEventListener("change", askSoon);
    askSoon();
  }

  /** Whether all is known that there is to know of the code. */
  get #done() {
    if (this.failure) return true;
    return this.#file === CERTIFIED ? this.certificate !== null : this.sha256 !== "";
  }

  async #ask() {
    if (this.#text !== this.#code.text) {
      this.#text = this.#code.text;
      this.sha256 = "";
      this.changedLines = [];
      this.certificate = null;
      this.failure = "";
      this.#changed();
    }
    if (this.#asking || this.#done || this.#code.applying) return;
    this.#asking = true;
    const text = this.#text;
    const { generation } = python;
    const isCurrent = () =>
      text === this.#code.text && generation === python.generation && python.status.status === "live";
    try {
      await this.#enumerate(isCurrent);
    } catch (error) {
      // If Python stopped or the code changed, it is asked again when the new one is up.
      if (python.status.status === "live" && !(error instanceof CodeProblem)) {
        this.failure = describe(error);
        if (this.#file === CERTIFIED) {
          this.certificate = { state: "could not check", reason: this.failure, findings: [] };
        }
      }
    }
    this.#asking = false;
    this.#changed();
    if (!isCurrent() && python.status.status === "live") this.#ask();
  }

  /** @param {() => boolean} goOn whether that code is in force still, in the same Python */
  async #enumerate(goOn) {
    await python.quiet(); // a reader's steps come first
    if (!goOn()) return; // another Python has not begun with it
    const { sha256, changed_lines } = await this.#scene.call("source", { file: this.#file });
    if (!goOn()) return;
    this.sha256 = sha256;
    this.changedLines = changed_lines;
    this.#changed();
    for (let first = true; !this.#done; first = false) {
      await python.quiet();
      if (!goOn()) return;
      const { done, certificate } = await this.#scene.call("certify", { first });
      if (goOn() && (done || certificate.state !== "exact")) this.certificate = certificate;
    }
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
