// What this tab's Python says of the code it runs: its SHA-256, and the verdict of enumeration.
// Asked once a tab, as soon as Python is up and has answered those who were waiting for it.

import { describe, python, Scene } from "./python.js";

/** @typedef {import("./types").Certificate} Certificate */

class RunningCode extends EventTarget {
  sha256 = "";
  /** @type {Certificate | null} null until this tab has enumerated all models, or found one wrong */
  certificate = null;

  #scene = new Scene("running_code");
  #asking = false;

  constructor() {
    super();
    python.addEventListener("change", () => {
      if (python.status.status === "live") setTimeout(() => this.#ask());
    });
  }

  async #ask() {
    if (this.#asking || this.certificate) return;
    this.#asking = true;
    try {
      this.sha256 = (await this.#scene.call("source")).sha256;
      this.#changed();
      while (!this.certificate) {
        const { done, certificate } = await this.#scene.call("certify");
        if (done || certificate.state !== "exact") this.certificate = certificate;
      }
    } catch (error) {
      // If Python stopped, its own note says so, and it is asked again when it is back.
      if (python.status.status === "live") this.certificate = { state: "could not check", reason: describe(error), findings: [] };
    }
    this.#asking = false;
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

export const runningCode = new RunningCode();
