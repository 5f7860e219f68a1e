// Which code is in force in this tab: speculative.py, or the reader's text in its place.
// A text is run only when the reader asks for it; one that fails gives way to the last good one.

import { python } from "./python.js";
import { CodeProblem, describe } from "./python_errors.js";

class CodeInUse extends EventTarget {
  /** @type {string | null} the text in force; null: the file itself */
  text = null;
  /** @type {{message: string, line: number | null, text: string | null} | null} why a text is not */
  problem = null;
  /** Whether a text is being taken in. */
  applying = false;

  /** @type {string | null} what was in force before, and good */
  #before = null;
  #fallingBack = false;

  constructor() {
    super();
    python.addEventListener("problem", (event) => {
      this.#fallBack(/** @type {CustomEvent<CodeProblem>} */ (event).detail);
    });
  }

  get edited() {
    return this.text !== null;
  }

  /**
   * Runs a text in place of the module.
   *
   * @param {string} text
   * @returns {Promise<boolean>} whether it is in force now; if not, `problem` says why
   */
  apply(text) {
    return this.#use(text);
  }

  /** Runs the file itself again. */
  restore() {
    return this.#use(null);
  }

  /** Ends a reader's code that goes on and on. */
  stop() {
    python.stopCode("You stopped it");
  }

  /** @param {string | null} text */
  async #use(text) {
    this.applying = true;
    this.problem = null;
    this.#changed();
    try {
      await python.useCode(text);
      if (text !== this.text) this.#before = this.text;
      this.text = text;
      return true;
    } catch (error) {
      const line = error instanceof CodeProblem ? error.line : null;
      this.problem = { message: describe(error), line, text };
      return false;
    } finally {
      this.applying = false;
      this.#changed();
    }
  }

  /** @param {CodeProblem} problem of the text in force, in the middle of a run */
  async #fallBack({ message, line }) {
    if (this.#fallingBack || !this.edited) return;
    this.#fallingBack = true;
    const failed = this.text;
    this.text = this.#before === failed ? null : this.#before;
    this.#before = null;
    try {
      await python.useCode(this.text);
    } catch {
      this.text = null; // it was good once, and is no more; the file itself always is
      await python.useCode(null).catch(() => {}); // Python's status says what is wrong
    }
    this.problem = { message, line, text: failed };
    this.#fallingBack = false;
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

export const codeInUse = new CodeInUse();
