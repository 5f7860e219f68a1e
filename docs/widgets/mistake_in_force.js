// Which entry of "Break it" is the code in force on this page, if any is.

import { codeInUse } from "./code_in_use.js";
import { Scene } from "./scene.js";

const code = codeInUse("speculative.py");

class MistakeInForce extends EventTarget {
  #scene = new Scene("mistakes");
  /** @type {Map<string, string>} the changed texts by name, as far as they were asked for */
  #texts = new Map();

  constructor() {
    super();
    code.addEventListener("change", () => this.#changed());
  }

  /** The name of the entry in force, or "". */
  get name() {
    for (const [name, text] of this.#texts) if (text === code.text) return name;
    return "";
  }

  /**
   * Runs the changed code in place of the module: the playground, its charts, the verdict.
   *
   * @param {string} name
   */
  async apply(name) {
    const { text } = await this.#scene.call("patched", { name });
    this.#texts.set(name, text);
    await code.apply(text);
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

export const mistakeInForce = new MistakeInForce();
