// The editor (CodeMirror 6) and its colours for Python. A bundle of its own, fetched when a
// reader presses Edit or runs other code than the file; nothing of it is in the first load.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { python as pythonLanguage, pythonLanguage as grammar } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { highlightCode, tagHighlighter, tags } from "@lezer/highlight";

/** The theme's names for kinds of text (Pygments'), so that edited code looks as the file does. */
const KINDS = [
  { tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword, tags.operatorKeyword], class: "k" },
  { tag: [tags.bool, tags.null, tags.self], class: "kc" },
  { tag: tags.string, class: "s2" },
  { tag: tags.special(tags.string), class: "sa" },
  { tag: tags.number, class: "mi" },
  { tag: tags.comment, class: "c1" },
  { tag: [tags.operator, tags.arithmeticOperator, tags.compareOperator, tags.updateOperator, tags.definitionOperator], class: "o" },
  { tag: tags.function(tags.definition(tags.variableName)), class: "nf" },
  { tag: tags.definition(tags.className), class: "nc" },
  { tag: tags.meta, class: "nd" },
];

const classes = tagHighlighter(KINDS);

const LOOK = EditorView.theme({
  "&": { backgroundColor: "var(--md-code-bg-color)", color: "var(--md-code-fg-color)" },
  ".cm-content": { fontFamily: "var(--md-code-font-family, monospace)", caretColor: "var(--md-code-fg-color)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--spec-faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--md-accent-fg-color) 9%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--md-code-fg-color)" },
  "&.cm-focused": { outline: "2px solid var(--md-accent-fg-color)", outlineOffset: "2px" },
  ".cm-selectionBackground, &.cm-focused .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--md-accent-fg-color) 26%, transparent) !important" },
  ".cm-matchingBracket": { backgroundColor: "color-mix(in srgb, var(--md-accent-fg-color) 26%, transparent)" },
  ".cm-diagnostic": { fontFamily: "inherit" },
});

/**
 * @param {string} text
 * @returns {{text: string, kind: string}[][]} the lines' pieces with their kinds ("" is plain);
 *   each line ends in its newline, and all together are the text
 */
export function coloured(text) {
  /** @type {{text: string, kind: string}[][]} */
  const lines = [[]];
  highlightCode(
    text,
    grammar.parser.parse(text),
    classes,
    (piece, kind) => lines[lines.length - 1].push({ text: piece, kind }),
    () => {
      lines[lines.length - 1].push({ text: "\n", kind: "" });
      lines.push([]);
    },
  );
  if (!lines[lines.length - 1].length) lines.pop();
  return lines;
}

/**
 * Opens an editor. Tab is left alone: it takes the keyboard out of the editor again.
 *
 * @param {HTMLElement} parent
 * @param {{text: string, label: string, onChange: (text: string) => void, onApply: () => void}}
 *   options onApply: Ctrl or Cmd + Enter
 */
export function openEditor(parent, { text, label, onChange, onApply }) {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of("    "),
        bracketMatching(),
        highlightActiveLine(),
        keymap.of([
          {
            key: "Mod-Enter",
            run: () => {
              onApply();
              return true;
            },
          },
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        pythonLanguage(),
        syntaxHighlighting(HighlightStyle.define(KINDS)),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false", autocapitalize: "off" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
        LOOK,
      ],
    }),
  });
  return {
    /** @param {string} wanted replaces the whole text; it can be undone */
    replace(wanted) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: wanted } });
    },
    /** @param {{line: number | null, message: string} | null} problem marked at its line */
    mark(problem) {
      const { doc } = view.state;
      const known = problem?.line != null && problem.line <= doc.lines ? doc.line(problem.line) : null;
      const diagnostics = known
        ? [{ from: known.from, to: known.to, severity: /** @type {const} */ ("error"), message: problem?.message ?? "" }]
        : [];
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    /** @param {number} line is brought into view, the cursor put there */
    goTo(line) {
      const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines));
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
      view.focus();
    },
    focus() {
      view.focus();
    },
    close() {
      view.destroy();
    },
  };
}
