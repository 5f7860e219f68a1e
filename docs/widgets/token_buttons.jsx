// Tokens as buttons that arrow keys move among: a tab stop a group, and the selected one.

import { TOKEN_KINDS } from "./token_marks.jsx";

/**
 * @typedef {import("./types").Cell} Cell
 * @typedef {{step: number, index: number}} TokenId which token: a step, a cell of it
 */

/**
 * @param {{cell: Cell, id: TokenId, selected: TokenId | null, judged?: boolean,
 *   first: boolean, text?: string, onSelect: (id: TokenId) => void}} props
 *   first: the group's own tab stop
 */
export function TokenButton({ cell, id, selected, judged = true, first, text, onSelect }) {
  const { mark, label } = TOKEN_KINDS[cell.kind];
  const isSelected = selected?.step === id.step && selected.index === id.index;
  const state = judged ? label : "guessed";
  return (
    <button
      type="button"
      class="token"
      data-token={judged ? cell.kind : "guess"}
      aria-label={`${cell.word}, ${state}, step ${id.step}`}
      aria-pressed={isSelected}
      tabIndex={isSelected || first ? 0 : -1}
      onClick={() => onSelect(id)}
    >
      {text ?? cell.word}
      <span class="mark" aria-hidden="true">
        {judged ? mark : "?"}
      </span>
    </button>
  );
}

/** @param {KeyboardEvent} event moves the focus to the neighbouring token of the group */
export function moveAmongTokens(event) {
  const group = /** @type {HTMLElement} */ (event.currentTarget);
  const tokens = /** @type {HTMLElement[]} */ ([...group.querySelectorAll("button.token")]);
  const at = tokens.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const to = {
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    Home: 0,
    End: tokens.length - 1,
  }[event.key];
  if (at < 0 || to === undefined || !tokens[to]) return;
  event.preventDefault();
  tokens[to].focus();
}
