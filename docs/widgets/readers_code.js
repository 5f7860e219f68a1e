// The reader's texts as Python has them, by file of specdec: those in force, and those being
// taken in. What brings Python down is not put in again.

import { CodeProblem, describe } from "./python_errors.js";

export class ReadersCode {
  /** @type {Map<string, string>} the texts in force; any other file is as published */
  #texts = new Map();
  #taking = 0;
  #prepare;
  #run;

  /**
   * @param {{prepare: (text: string) => Promise<void>,
   *   run: (file: string, text: string | null) => Promise<void>}} python prepare: brings what a
   *   text imports; run: puts it in the file's place
   */
  constructor({ prepare, run }) {
    this.#prepare = prepare;
    this.#run = run;
  }

  /** Whether any file is edited. */
  get isInForce() {
    return this.#texts.size > 0;
  }

  /** Whether a text is being taken in, which need not end. */
  get isTaken() {
    return this.#taking > 0;
  }

  /**
   * @param {string} file
   * @param {string | null} text null: the file itself again
   */
  async use(file, text) {
    if (text === null) {
      await this.#run(file, null);
      this.#texts.delete(file);
    } else {
      await this.#prepare(text);
      await this.#take(() => this.#run(file, text));
      this.#texts.set(file, text);
    }
  }

  /**
   * Puts what was in force into another Python. It was good then.
   *
   * @param {() => boolean} goOn whether that Python is there still
   * @returns {Promise<CodeProblem[]>} of the texts that are in force no more
   */
  async useAgain(goOn) {
    const problems = [];
    for (const [file, text] of [...this.#texts]) {
      if (!goOn()) break;
      this.#texts.delete(file); // unless it comes to its end again
      try {
        await this.#take(async () => {
          await this.#prepare(text);
          await this.#run(file, text);
        });
        this.#texts.set(file, text);
      } catch (error) {
        problems.push(new CodeProblem({ message: describe(error), line: null, file }));
      }
    }
    return problems;
  }

  /**
   * @param {CodeProblem} problem
   * @returns {CodeProblem[]} the same, of the edited file it names; of all if it names none
   */
  blamed({ message, line, file }) {
    if (file !== null && this.#texts.has(file)) return [new CodeProblem({ message, line, file })];
    return [...this.#texts.keys()].map(
      (edited) => new CodeProblem({ message, line: null, file: edited }),
    );
  }

  /** Nothing is in force any more. */
  putOut() {
    this.#texts.clear();
  }

  /** @param {() => Promise<void>} work */
  async #take(work) {
    this.#taking += 1;
    try {
      await work();
    } finally {
      this.#taking -= 1;
    }
  }
}
