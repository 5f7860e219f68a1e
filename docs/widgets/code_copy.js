// A second view of the code in force: its lines are copies of the source panel's, which has them
// coloured and, if a reader edited them, as edited. One line is lit, here and there.

const PANEL = "spec-source code[data-source]";

export class CodeCopy {
  #box;
  #panel;
  #observer;
  #lit = 0; // the number of the line; 0: none

  /** @param {HTMLElement} box to be filled; scrolls by itself */
  constructor(box) {
    this.#box = box;
    this.#panel = document.querySelector(PANEL);
    this.#observer = new MutationObserver(() => this.#copy());
    if (this.#panel) this.#observer.observe(this.#panel, { childList: true });
    this.#copy();
  }

  /**
   * Lights a line, and sees to it that it is in sight within the box.
   *
   * @param {number} line from 1; 0 for none
   */
  light(line) {
    this.#mark(this.#lit, false);
    this.#lit = line;
    this.#mark(line, true);
    const lit = /** @type {HTMLElement | undefined} */ (this.#box.children[line - 1]);
    if (!lit) return;
    const { scrollTop, clientHeight } = this.#box;
    const margin = Math.min(clientHeight / 4, 3 * lit.offsetHeight);
    const isInSight =
      lit.offsetTop >= scrollTop + margin &&
      lit.offsetTop + lit.offsetHeight <= scrollTop + clientHeight - margin;
    if (!isInSight) this.#box.scrollTop = lit.offsetTop - clientHeight * 0.4;
  }

  /** @param {number} line */
  textOf(line) {
    return this.#box.children[line - 1]?.textContent?.trim() ?? "";
  }

  close() {
    this.#observer.disconnect();
    this.light(0);
  }

  #copy() {
    const lines = [...(this.#panel?.children ?? [])].map((original) => {
      const line = /** @type {HTMLElement} */ (original.cloneNode(true));
      line.style.setProperty("--indent", String(line.textContent?.search(/\S/) ?? 0));
      return line;
    });
    this.#box.replaceChildren(...lines);
    this.light(this.#lit);
  }

  /**
   * @param {number} line
   * @param {boolean} lit
   */
  #mark(line, lit) {
    for (const code of [this.#box, this.#panel]) {
      code?.children[line - 1]?.toggleAttribute("data-lit", lit);
    }
  }
}
