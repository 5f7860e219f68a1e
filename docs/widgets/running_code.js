// What this tab's Python says of the code in force: its SHA-256, and the verdict of enumeration.
// Asked once for each code, as soon as Python is up and has answered those who waited for it.

import { codeInUse } from "./code_in_use.js";
import { python } from "./python.js";
import { CodeProblem, describe } from "./python_errors.js";
import { Scene } from "./scene.js";

/** @typedef {import("./types").Certificate} Certificate */

class RunningCode extends EventTarget {
  sha256 = "";
  /** @type {number[]} the lines, from 1, that are not the file's */
  changedLines = [];
  /** @type {Certificate | null} null until this tab has enumerated all models, or found one wrong */
  certificate = null;

  #scene = new Scene("running_code");
  #asking = false;
  /** @type {string | null | undefined} the code that the answers are about */
  #text;

  constructor() {
    super();
    const askSoon = () => {
      if (python.status.status === "live") setTimeout(() => this.#ask());
    };
    python.addEventListener("change", askSoon);
    codeInUse.addEventListener("change", askSoon);
  }

  async #ask() {
    if (this.#text !== codeInUse.text) {
      this.#text = codeInUse.text;
      this.sha256 = "";
      this.changedLines = [];
      this.certificate = null;
      this.#changed();
    }
    if (this.#asking || this.certificate || codeInUse.applying) return;
    this.#asking = true;
    const text = this.#text;
    const { generation } = python;
    const isCurrent = () =>
      text === codeInUse.text && generation === python.generation && python.status.status === "live";
    try {
      await this.#enumerate(isCurrent);
    } catch (error) {
      // If Python stopped or the code changed, it is asked again when the new one is up.
      if (python.status.status === "live" && !(error instanceof CodeProblem)) {
        this.certificate = { state: "could not check", reason: describe(error), findings: [] };
      }
    }
    this.#asking = false;
    this.#changed();
    if (!isCurrent() && python.status.status === "live") this.#ask();
  }

  /** @param {() => boolean} goOn whether that code is in force still, in the same Python */
  async #enumerate(goOn) {
    const { sha256, changed_lines } = await this.#scene.call("source");
    if (!goOn()) return;
    this.sha256 = sha256;
    this.changedLines = changed_lines;
    this.#changed();
    for (let first = true; !this.certificate; first = false) {
      await python.quiet(); // a reader's steps come first
      if (!goOn()) return; // another Python has not begun with it
      const { done, certificate } = await this.#scene.call("certify", { first });
      if (goOn() && (done || certificate.state !== "exact")) this.certificate = certificate;
    }
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

export const runningCode = new RunningCode();
