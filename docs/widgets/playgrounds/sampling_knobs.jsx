// The playground of the page "Sampling knobs": the next word's law as the knobs stand, the text so
// far, and speculative decoding with the knobs wired as the reader says.

import { Fragment } from "preact";
import { definePlayground } from "../playground_element.jsx";
import { NextWord } from "../sampling_knobs/next_word.jsx";
import { WiredDecoding } from "../sampling_knobs/wired_decoding.jsx";
import { RunButtons, SettingFields } from "../setting_fields.jsx";
import { TOKEN_KINDS } from "../token_marks.jsx";

/**
 * @typedef {import("../sampling_knobs/state").KnobsState} KnobsState
 * @typedef {import("../sampling_knobs/state").KnobsExamined} KnobsExamined
 */

const KNOBS = [
  "temperature", "top_k", "top_p", "min_p", "typical_p", "repetition", "frequency", "presence",
  "order",
];

/** @param {import("../scene_types").ViewProps<KnobsState, KnobsExamined>} props */
export function View({ session, note }) {
  const { state, stale } = session;
  return (
    <div class="playground sampling-knobs" data-stale={stale}>
      <Tiles state={state} />
      <div class="left">
        <section class="controls" aria-label="Knobs">
          <SettingFields session={session} names={KNOBS} />
        </section>
      </div>
      <div class="middle">
        <NextWord session={session} />
      </div>
      <div class="right">
        <section aria-label="Sampled text" class="sampled">
          <h2>Sampled text</h2>
          <Text state={state} />
          <RunButtons session={session} />
        </section>
        <div class="note-slot">{note}</div>
      </div>
      <WiredDecoding session={session} />
    </div>
  );
}

/** @param {{state: KnobsState}} props */
function Tiles({ state }) {
  const { law, other, words, tokens } = state;
  const { before, after } = law;
  return (
    <dl class="statistics">
      <Tile name="entropy" label="Entropy" value={`${after.entropy.toFixed(2)} bits`}>
        without {before.entropy.toFixed(2)}
      </Tile>
      <Tile name="perplexity" label="Perplexity" value={after.perplexity.toFixed(2)}>
        without {before.perplexity.toFixed(2)}
      </Tile>
      <Tile name="words-left" label="Words left" value={String(after.words)}>
        of {words.length}
      </Tile>
      <Tile name="other-order" label={`Words left in ${other.order}’s order`} value={String(other.words)}>
        total variation {other.distance.toFixed(3)}
      </Tile>
      <Tile name="tokens" label="Tokens so far" value={tokens.toLocaleString("en")} />
    </dl>
  );
}

/**
 * @param {{name: string, label: string, value: string,
 *   children?: import("preact").ComponentChildren}} props
 */
function Tile({ name, label, value, children }) {
  return (
    <div class="tile">
      <dt>{label}</dt>
      <dd>
        <b data-stat={name}>{value}</b>
        <small>{children}</small>
      </dd>
    </div>
  );
}

/** @param {{state: KnobsState}} props */
function Text({ state: { text, tokens } }) {
  const earlier = tokens - text.length;
  return (
    <p class="text" ref={scrollToEnd}>
      {earlier > 0 && <span class="earlier">… {earlier.toLocaleString("en")} earlier …</span>}
      {text.map(({ word, kind }, i) => (
        <Fragment key={earlier + i}>
          {word !== "." && " "}
          <span class="word" data-kind={kind}>
            {text[i - 1] && text[i - 1].word !== "." ? word : capitalised(word)}
            {kind !== "sampled" && kind !== "accepted" && (
              <span class="mark" aria-hidden="true">
                {TOKEN_KINDS[kind].mark}
              </span>
            )}
          </span>
        </Fragment>
      ))}
      {tokens === 0 && <span class="earlier">Nothing yet: press Run or Step.</span>}
    </p>
  );
}

/** @param {string} word */
const capitalised = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** @param {HTMLElement | null} text keeps the newest words in sight */
function scrollToEnd(text) {
  if (text) text.scrollTop = text.scrollHeight;
}

definePlayground("sampling_knobs", "sampling.py", View); // last: the page's element is drawn now
