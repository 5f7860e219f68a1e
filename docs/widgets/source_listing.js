// The lines of the source panel: the file as the build coloured it, or a reader's text.
// Each line is an element with its number in `data-line`; their text is the code, byte for byte.

/** @type {Promise<typeof import("./editor.js")> | undefined} */
let editor;

/** @returns {Promise<typeof import("./editor.js")>} fetched once, and again if that failed */
export function loadEditor() {
  editor ??= import(/* @vite-ignore */ new URL("editor.js", import.meta.url).href);
  editor.catch(() => {
    editor = undefined;
  });
  return editor;
}

export class SourceListing {
  #code;
  #file;
  /** @type {string | null} the text wanted; null: the file */
  #text = null;
  /** @type {number[]} */
  #changed = [];

  /** @param {Element} code the panel's <code>, filled by the build */
  constructor(code) {
    this.#code = code;
    this.#file = [...code.children];
  }

  /** The file's text. */
  get fileText() {
    return this.#file.map((line) => line.textContent).join("");
  }

  /** @param {string | null} text null: the file again */
  async show(text) {
    this.#text = text;
    if (text === null) {
      this.#code.replaceChildren(...this.#file);
      return;
    }
    this.#put(text.split(/(?<=\n)/).map((line) => [{ text: line, kind: "" }]));
    const { coloured } = await loadEditor();
    if (this.#text === text) this.#put(coloured(text));
  }

  /** @param {number[]} lines that differ from the file */
  markChanged(lines) {
    this.#changed = lines;
    for (const line of this.#code.children) line.removeAttribute("data-changed");
    for (const number of lines) this.#code.children[number - 1]?.setAttribute("data-changed", "");
  }

  /** @param {{text: string, kind: string}[][]} lines */
  #put(lines) {
    this.#code.replaceChildren(
      ...lines.map((pieces, index) => {
        const line = document.createElement("span");
        line.dataset.line = String(index + 1);
        line.append(
          ...pieces.map(({ text, kind }) => {
            if (!kind) return text;
            const piece = document.createElement("span");
            piece.className = kind;
            piece.textContent = text;
            return piece;
          }),
        );
        return line;
      }),
    );
    this.markChanged(this.#changed);
  }
}
