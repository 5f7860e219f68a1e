// The law of the next word: for each word its logit and its probability, before the knobs and
// after, and which knob cut it. A table, so that it can be read as well as seen.

/**
 * @typedef {import("./state").KnobsState} KnobsState
 * @typedef {import("./state").WordLaw} WordLaw
 */

const NATS_SHOWN = 8; // a logit so far below the greatest has no bar
const CUT_NAMES = /** @type {Record<string, string>} */ ({
  temperature: "argmax",
  top_k: "top-k",
  top_p: "top-p",
  min_p: "min-p",
  typical_p: "typical-p",
});

/** @param {{session: import("../scene_types").ShownSession<KnobsState>}} props */
export function NextWord({ session: { state, settings } }) {
  const { words, context, other } = state;
  const greatest = Math.max(...words.flatMap(({ before, after, after_other }) => [before, after, after_other]));
  const end = greatest > 0.5 ? 1 : 0.5;
  return (
    <section class="next-word" aria-label="The next word">
      <header>
        <h2>
          The next word <span>after “{context}”</span>
        </h2>
        <p class="key">
          <span class="key-raw">without knobs</span>
          <span class="key-knobbed">in {settings.order}’s order</span>
          <span class="key-other">in {other.order}’s order</span>
        </p>
      </header>
      <table class="law-table">
        <thead>
          <tr>
            <th scope="col">Word</th>
            <th scope="col">Logit</th>
            <th scope="col">
              Probability<span class="range"> 0–{end}</span>
            </th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
            <th scope="col">Cut by</th>
          </tr>
        </thead>
        <tbody>
          {words.map((law) => (
            <Row key={law.word} law={law} end={end} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** @param {{law: WordLaw, end: number}} props end: of the probabilities' axis */
function Row({ law, end }) {
  const { word, logit, logit_after, before, after, after_other, cut_by } = law;
  const length = (/** @type {number | null} */ nats) =>
    nats === null ? 0 : Math.max(0, 100 * (1 + nats / NATS_SHOWN));
  const share = (/** @type {number} */ probability) => (100 * probability) / end;
  return (
    <tr data-word={word} data-cut={cut_by}>
      <th scope="row">{word}</th>
      <td>
        <Bars raw={length(logit)} knobbed={length(logit_after)} />
      </td>
      <td>
        <Bars raw={share(before)} knobbed={share(after)} other={share(after_other)} />
      </td>
      <td>{percent(before)}</td>
      <td>{cut_by ? "0" : percent(after)}</td>
      <td>
        {cut_by && (
          <>
            <span aria-hidden="true">✂ </span>
            {CUT_NAMES[cut_by] ?? cut_by}
          </>
        )}
      </td>
    </tr>
  );
}

/** @param {number} probability */
const percent = (probability) => `${(100 * probability).toFixed(1)}%`;

/** @param {{raw: number, knobbed: number, other?: number}} props lengths, 0 to 100 */
function Bars({ raw, knobbed, other = 0 }) {
  return (
    <svg class="law-bars" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
      <rect class="raw" x={0} y={0.5} width={raw} height={11} />
      <rect class="knobbed" x={0} y={2.5} width={knobbed} height={7} />
      {other > 0 && <rect class="other" x={Math.max(0, other - 0.5)} y={0} width={1} height={12} />}
    </svg>
  );
}
