// The step being shown: the draft's guesses in their places, the target's checks under them,
// and the token that the target adds.

import { moveAmongTokens, TokenButton } from "./token_buttons.jsx";
import { Legend } from "./token_marks.jsx";

/**
 * @typedef {import("./types").Frame} Frame
 * @typedef {import("./types").Cell} Cell
 * @typedef {import("./types").Shown} Shown
 * @typedef {import("./token_buttons.jsx").TokenId} TokenId
 */

/**
 * @param {{frame: Frame | undefined, shown: Shown,
 *   gamma: number, selected: TokenId | null, onSelect: (id: TokenId) => void}} props
 */
export function Stage({ frame, shown, gamma, selected, onSelect }) {
  const guesses = frame ? frame.cells.slice(0, -1) : []; // code may draft fewer than γ
  const places = Array.from({ length: frame ? frame.cells.length : gamma + 1 }, (_, i) => i);
  const all = shown.own && shown.checked >= guesses.length;
  return (
    <section class="stage" aria-label="Current step">
      <header>
        <h2>
          {frame ? `Step ${frame.step}` : "No step yet"}{" "}
          <span>{frame ? `after “${frame.cells[0].context}”` : "press Run or Step"}</span>
        </h2>
        <Legend />
      </header>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys only help the buttons inside */}
      <div
        class="places"
        style={{ "--places": places.length }}
        data-crowded={places.length > 7}
        data-verdict={all}
        onKeyDown={moveAmongTokens}
      >
        <p class="lane-name" data-model="draft">
          Draft guesses
        </p>
        <p class="lane-name" data-model="target">
          Target checks
        </p>
        <p class="lane-name" data-model="target">
          Target adds
        </p>
        {places.map((place) => (
          <Place
            key={place}
            place={place}
            frame={frame}
            guess={place < shown.guesses ? guesses[place] : undefined}
            judged={place < shown.checked}
            ownShown={shown.own}
            selected={selected}
            onSelect={onSelect}
          />
        ))}
      </div>
    </section>
  );
}

/**
 * One position of the step: a guess, its check, and the target's own token if it stands here.
 *
 * @param {{place: number, frame: Frame | undefined, guess: Cell | undefined, judged: boolean,
 *   ownShown: boolean, selected: TokenId | null, onSelect: (id: TokenId) => void}} props
 */
function Place({ place, frame, guess, judged, ownShown, selected, onSelect }) {
  const own = frame?.cells[frame.cells.length - 1];
  const ownHere = frame && own && ownShown && own.position === place;
  const buttons = { selected, onSelect };
  return (
    <div class="place">
      <div>
        {guess && frame && (
          <TokenButton
            key={frame.step}
            cell={guess}
            id={{ step: frame.step, index: place }}
            judged={judged}
            first={place === 0}
            {...buttons}
          />
        )}
      </div>
      <div class="check">{guess && judged && <Check cell={guess} />}</div>
      <div>
        {ownHere && (
          <TokenButton
            key={frame.step}
            cell={own}
            id={{ step: frame.step, index: frame.cells.length - 1 }}
            first={false}
            {...buttons}
          />
        )}
      </div>
    </div>
  );
}

/**
 * The comparison that decided a guess: the uniform drawn against min(1, p/q).
 *
 * @param {{cell: Cell}} props
 */
function Check({ cell }) {
  if (cell.uniform == null || cell.ratio == null) return <>–</>;
  const chance = Math.min(1, cell.ratio);
  const digits = cell.uniform.toFixed(2) === chance.toFixed(2) ? 4 : 2;
  const short = (/** @type {number} */ number) => number.toFixed(digits).replace(/^0/, "");
  return (
    <>
      {short(cell.uniform)} {cell.uniform < chance ? "<" : "≥"} {short(chance)}
    </>
  );
}
