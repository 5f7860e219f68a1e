// What the reader's code in force has printed and drawn in this tab, bounded.

import { everyFile } from "./code_in_use.js";
import { lastLines } from "./last_lines.js";
import { python } from "./python.js";

/** @typedef {import("./types").CodeOutput} CodeOutput */

const NEWEST_FIGURES = 4;

class CodeOutputSoFar extends EventTarget {
  text = "";
  /** @type {CodeOutput["figures"]} */
  figures = [];

  constructor() {
    super();
    python.addEventListener("output", (event) => {
      const { text, figures } = /** @type {CustomEvent<CodeOutput>} */ (event).detail;
      this.#set(lastLines(this.text + text), [...this.figures, ...figures].slice(-NEWEST_FIGURES));
    });
    everyFile.addEventListener("apply", () => this.clear()); // it was the code before that said so
  }

  clear() {
    this.#set("", []);
  }

  /**
   * @param {string} text
   * @param {CodeOutput["figures"]} figures
   */
  #set(text, figures) {
    this.text = text;
    this.figures = figures;
    this.dispatchEvent(new Event("change"));
  }
}

export const codeOutput = new CodeOutputSoFar();
