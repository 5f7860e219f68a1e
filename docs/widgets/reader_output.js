// In the worker: what a reader's code prints and draws, on its way to the page.

import { lastLines, MAX_CHARS } from "./last_lines.js";

/**
 * @typedef {import("pyodide").PyodideInterface} Pyodide
 * @typedef {import("./types").CodeOutput} CodeOutput
 */

const EVERY_MS = 250; // while code runs on, what it prints is sent no more often

export class ReaderOutput {
  #heard = false;
  #text = "";
  #sentAt = 0;
  #send;
  #stdout;
  #modules;
  /** @type {any} docs/scenes/reader_figures.py, once code has asked for matplotlib */
  #figures;

  /**
   * @param {Pyodide} python its standard output and error come here from now on
   * @param {(output: CodeOutput) => void} send called only if there is something
   */
  constructor(python, send) {
    this.#send = send;
    const sys = python.pyimport("sys");
    this.#stdout = sys.__stdout__;
    this.#modules = sys.modules;
    for (const redirect of [python.setStdout, python.setStderr]) {
      const decoder = new TextDecoder();
      redirect({
        write: (bytes) => {
          this.#print(decoder.decode(bytes, { stream: true }));
          return bytes.length;
        },
      });
    }
  }

  /**
   * A reader's code may run now, until `end`.
   *
   * @param {boolean} heard or is its output thrown away, as when it runs to be checked
   */
  begin(heard) {
    this.#heard = heard;
    this.#sentAt = performance.now();
  }

  /** Sends what has not been sent. */
  end() {
    if (!this.#stdout.closed) this.#stdout.flush(); // standard error keeps nothing back
    this.#figures ??= this.#modules.get("reader_figures");
    const figures = this.#figures?.take(this.#heard);
    this.#sendAll(figures?.toJs({ dict_converter: Object.fromEntries }) ?? []);
    figures?.destroy();
  }

  /** @param {string} text */
  #print(text) {
    if (!this.#heard) return;
    this.#text += text;
    if (this.#text.length > 2 * MAX_CHARS) this.#text = lastLines(this.#text);
    if (performance.now() - this.#sentAt > EVERY_MS) this.#sendAll([]);
  }

  /** @param {CodeOutput["figures"]} figures */
  #sendAll(figures) {
    if (!this.#text && !figures.length) return;
    this.#send({ text: lastLines(this.#text), figures });
    this.#text = "";
    this.#sentAt = performance.now();
  }
}
