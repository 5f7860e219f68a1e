// The text that came out, each word marked with how it came.

import { moveAmongTokens, TokenButton } from "./token_buttons.jsx";

/**
 * @typedef {import("./types").Frame} Frame
 * @typedef {import("./token_buttons.jsx").TokenId} TokenId
 */

const EMITTED = new Set(["accepted", "recovered", "bonus"]);

/**
 * @param {{frames: Frame[], total: number, selected: TokenId | null,
 *   onSelect: (id: TokenId) => void}} props total: tokens emitted in all
 */
export function EmittedText({ frames, total, selected, onSelect }) {
  const emitted = frames.flatMap(({ step, cells, pace }) =>
    cells
      .map((cell, index) => ({ cell, id: { step, index } }))
      .filter(({ cell }) => EMITTED.has(cell.kind))
      .slice(0, pace.tokens), // code may keep some of them back
  );
  const earlier = total - emitted.length;
  return (
    <section class="emitted" aria-label="Emitted text">
      <h2>Emitted text</h2>
      <p onKeyDown={moveAmongTokens} ref={scrollToEnd}>
        {earlier > 0 && <span class="earlier">… {earlier.toLocaleString("en")} earlier tokens … </span>}
        {emitted.map(({ cell, id }, i) => (
          <TokenButton
            key={`${id.step}.${id.index}`}
            cell={cell}
            id={id}
            text={capitalised(cell)}
            first={i === emitted.length - 1}
            selected={selected}
            onSelect={onSelect}
          />
        ))}
        {emitted.length === 0 && <span class="earlier">Nothing yet.</span>}
      </p>
    </section>
  );
}

/** @param {import("./types").Cell} cell */
const capitalised = ({ word, context }) =>
  context === "." ? word.charAt(0).toUpperCase() + word.slice(1) : word;

/** @param {HTMLElement | null} text keeps the newest words in sight, unless one is in use */
function scrollToEnd(text) {
  if (text && !text.matches(":hover, :focus-within")) text.scrollTop = text.scrollHeight;
}
