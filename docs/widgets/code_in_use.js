// Which code of a file of specdec is in force in this tab: the file, or the reader's text in its
// place.
// A text is run only when the reader asks for it; one that fails gives way to the last good one.

import { python } from "./python.js";
import { CodeProblem, describe } from "./python_errors.js";

/** Says "apply" whenever a text, of whatever file, begins to be taken in. */
export const everyFile = new EventTarget();

/** @type {Map<string, CodeInUse>} */
const known = new Map();

/**
 * @param {string} file of specdec: "speculative.py", ...
 * @returns {CodeInUse} one object a file
 */
export function codeInUse(file) {
  const code = known.get(file) ?? new CodeInUse(file);
  known.set(file, code);
  return code;
}

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
  #file;

  /** @param {string} file */
  constructor(file) {
    super();
    this.#file = file;
    python.addEventListener("problem", (event) => {
      const { detail } = /** @type {CustomEvent<CodeProblem>} */ (event);
      if (detail.file === file) this.#fallBack(detail);
    });
  }

  get edited() {
    return this.text !== null;
  }

  /**
   * Runs a text in place of the file.
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

  /** Ends a reader's code that goes on and on, whichever of the files it is in. */
  stop() {
    python.stopCode("You stopped it");
  }

  /** @param {string | null} text */
  async #use(text) {
    this.applying = true;
    this.problem = null;
    everyFile.dispatchEvent(new Event("apply"));
    this.#changed();
    try {
      await python.useCode(this.#file, text);
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
      await python.useCode(this.#file, this.text);
    } catch {
      this.text = null; // it was good once, and is no more; the file itself always is
      await python.useCode(this.#file, null).catch(() => {}); // Python's status says what is wrong
    }
    this.problem = { message, line, text: failed };
    this.#fallingBack = false;
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
