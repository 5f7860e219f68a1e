// A second view of the code in force: its lines are copies of the source panel's, which has them
// coloured and, if a reader edited them, as edited. One line is lit, here and there.

const PANEL = "spec-source code[data-source]";

export class CodeCopy {
  #box;
  #panel;
  #copies = new MutationObserver(() => this.#copy());
  #sizes = new ResizeObserver(() => this.#reveal());
  #lit = 0; // the number of the line; 0: none

  /** @param {HTMLElement} box to be filled; scrolls by itself */
  constructor(box) {
    this.#box = box;
    this.#panel = document.querySelector(PANEL);
    const followed = { childList: true, subtree: true, attributeFilter: ["data-changed"] };
    if (this.#panel) this.#copies.observe(this.#panel, followed);
    this.#sizes.observe(box);
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
    this.#reveal();
  }

  /** @param {number} line */
  textOf(line) {
    return this.#box.children[line - 1]?.textContent?.trim() ?? "";
  }

  close() {
    this.#copies.disconnect();
    this.#sizes.disconnect();
    this.light(0);
  }

  #reveal() {
    const lit = /** @type {HTMLElement | undefined} */ (this.#box.children[this.#lit - 1]);
    if (!lit) return;
    const { scrollTop, clientHeight } = this.#box;
    const margin = Math.min(clientHeight / 4, 3 * lit.offsetHeight);
    const isInSight =
      lit.offsetTop >= scrollTop + margin &&
      lit.offsetTop + lit.offsetHeight <= scrollTop + clientHeight - margin;
    if (!isInSight) this.#box.scrollTop = lit.offsetTop - clientHeight * 0.4;
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
