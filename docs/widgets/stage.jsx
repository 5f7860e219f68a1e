// The step being shown: the draft's guesses in their places, the target's verdict under them.

import { moveAmongTokens, TokenButton } from "./token_buttons.jsx";
import { Legend, TOKEN_KINDS } from "./token_marks.jsx";

/**
 * @typedef {import("./types").Frame} Frame
 * @typedef {import("./types").Cell} Cell
 * @typedef {import("./token_buttons.jsx").TokenId} TokenId
 */

/**
 * @param {{frame: Frame | undefined, shown: {guesses: number, verdict: boolean},
 *   gamma: number, selected: TokenId | null, onSelect: (id: TokenId) => void}} props
 */
export function Stage({ frame, shown, gamma, selected, onSelect }) {
  const guesses = frame ? frame.cells.slice(0, frame.gamma) : [];
  const places = Array.from({ length: (frame ? frame.gamma : gamma) + 1 }, (_, i) => i);
  return (
    <section class="stage" aria-label="Current step">
      <header>
        <h2>
          {frame ? (
            <>
              Step {frame.step} <span>after “{frame.cells[0].context}”</span>
            </>
          ) : (
            <>
              No step yet <span>press Run or Step</span>
            </>
          )}
        </h2>
        <Legend />
      </header>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys only help the buttons inside */}
      <div class="places" data-verdict={shown.verdict} onKeyDown={moveAmongTokens}>
        <p class="lane-name" data-model="draft">
          Draft guesses
        </p>
        <p class="lane-name" data-model="target">
          Target checks, one pass
        </p>
        {places.map((place) => (
          <Place
            key={place}
            place={place}
            frame={frame}
            guess={place < shown.guesses ? guesses[place] : undefined}
            verdict={shown.verdict}
            selected={selected}
            onSelect={onSelect}
          />
        ))}
      </div>
    </section>
  );
}

/**
 * One position of the step: a guess above, what the target made of it below.
 *
 * @param {{place: number, frame: Frame | undefined, guess: Cell | undefined, verdict: boolean,
 *   selected: TokenId | null, onSelect: (id: TokenId) => void}} props
 */
function Place({ place, frame, guess, verdict, selected, onSelect }) {
  const own = frame?.cells[frame.cells.length - 1];
  const ownHere = frame && own && verdict && own.position === place;
  const buttons = { selected, onSelect };
  return (
    <div class="place">
      <div class="guess">
        {guess && frame && (
          <TokenButton
            key={frame.step}
            cell={guess}
            id={{ step: frame.step, index: place }}
            judged={verdict}
            first={place === 0}
            {...buttons}
          />
        )}
      </div>
      <div class="verdict">
        {ownHere ? (
          <TokenButton
            key={frame.step}
            cell={own}
            id={{ step: frame.step, index: frame.cells.length - 1 }}
            first={false}
            {...buttons}
          />
        ) : (
          guess && verdict && <Ruling cell={guess} />
        )}
      </div>
    </div>
  );
}

/** @param {{cell: Cell}} props */
function Ruling({ cell }) {
  const { label } = TOKEN_KINDS[cell.kind];
  if (cell.uniform == null || cell.ratio == null) return <span class="ruling">{label}</span>;
  return (
    <span class="ruling" title={`u = ${cell.uniform}, p/q = ${cell.ratio}`}>
      {cell.uniform.toFixed(2)} &lt; {Math.min(1, cell.ratio).toFixed(2)}
    </span>
  );
}
