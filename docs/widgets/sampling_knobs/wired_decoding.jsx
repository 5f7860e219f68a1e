// Speculative decoding with the knobs wired as the reader says: what law comes out, what the text
// says of it, and what all eight wirings do.

import { Explained } from "../explained.jsx";
import { SettingFields } from "../setting_fields.jsx";
import { VERDICT_MARKS } from "../verdict_marks.js";
import { AcceptanceChart } from "./acceptance_chart.jsx";

/**
 * @typedef {import("./state").Against} Against
 * @typedef {import("./state").KnobsState} KnobsState
 * @typedef {import("./state").KnobsExamined} KnobsExamined
 * @typedef {import("./state").WiringFound} WiringFound
 * @typedef {import("../scene_types").ShownSession<KnobsState, KnobsExamined>} Session
 */

const SWITCHES = /** @type {const} */ (["on_target", "on_draft", "in_ratio"]);

/** @param {{session: Session}} props */
export function WiredDecoding({ session }) {
  const { state, settings, examined, examinedIsOld } = session;
  const isSet = (/** @type {WiringFound} */ one) => SWITCHES.every((name) => one[name] === settings[name]);
  const found = examinedIsOld ? undefined : examined?.wirings.find(isSet);
  return (
    <div class="wired">
      <section aria-label="Wiring">
        <h2>The same knobs, with a draft</h2>
        <SettingFields session={session} names={["decoder", ...SWITCHES]} />
        <Badge state={state} settings={settings} found={found} examined={examined} />
      </section>
      <section class="wirings" aria-label="The eight wirings">
        <h2>What each wiring gives</h2>
        <Wirings examined={examined} isSet={isSet} isOld={examinedIsOld} />
      </section>
      <div class="measured">
        <AcceptanceChart acceptance={state.acceptance} temperature={Number(settings.temperature)} />
        <Measured state={state} settings={settings} />
      </div>
    </div>
  );
}

/**
 * @param {{state: KnobsState, settings: Session["settings"], found: WiringFound | undefined,
 *   examined: KnobsExamined | null}} props
 */
function Badge({ state, settings, found, examined }) {
  const runs = settings.decoder === "speculative";
  const contradicted = runs && state.evidence.with_knobs.rejected;
  const verdict = contradicted ? "not exact" : (found?.state ?? "checking");
  return (
    <div class="wiring-verdict" data-verdict={verdict}>
      <p>
        <b data-stat="exact" role="status">
          <span aria-hidden="true">{VERDICT_MARKS[verdict]} </span>
          {verdict}
        </b>{" "}
        <Explained label="What the badge rests on">
          <p>
            Every random outcome of this wiring was run with these knobs on a small model
            {examined && ` (${examined.model})`}, in exact fractions. The law that came out is
            compared with the target’s own, with the knobs and without; 0 is exactly 0.
          </p>
          <p>The evidence on the text can contradict it, and then stays until Reset.</p>
        </Explained>
      </p>
      <p data-found>
        {found
          ? `What comes out: ${found.law}.`
          : "Every outcome is being run on the small model …"}
      </p>
      <dl>
        <Figure name="distance-with" label="TV to the law with knobs" value={found && distance(found.with_knobs)} />
        <Figure name="distance-without" label="TV to the law without" value={found && distance(found.without_knobs)} />
        <Figure name="paths" label="outcomes run" value={found?.paths.toLocaleString("en")} />
      </dl>
    </div>
  );
}

/** @param {{state: KnobsState, settings: Session["settings"]}} props */
function Measured({ state: { evidence, counted }, settings }) {
  const runs = settings.decoder === "speculative";
  const alarm = Math.round(1 / evidence.level).toLocaleString("en");
  return (
    <section aria-label="What the text says">
      <h2>
        What the text says <span>on {evidence.tokens.toLocaleString("en")} tokens</span>{" "}
        <Explained label="How to read the evidence">
          <p>
            What a bet of 1 against that law has become. Chance alone brings it to {alarm} in at most
            one run of {alarm}, however long you watch: there it counts as found wrong.
          </p>
          <p>
            Counted are the tokens that {runs ? "this wiring has made" : "the target has made alone"}.
          </p>
        </Explained>
      </h2>
      <dl>
        <Figure
          name="accept-rate"
          label="guesses kept, since a knob moved"
          value={counted.rate === null ? "–" : `${(100 * counted.rate).toFixed(1)}%`}
        />
        <Figure name="evidence-with" label="evidence against the law with knobs" value={strength(evidence.with_knobs)} />
        <Figure name="evidence-without" label="evidence against the law without" value={strength(evidence.without_knobs)} />
      </dl>
    </section>
  );
}

/** @param {{name: string, label: string, value: string | undefined}} props */
function Figure({ name, label, value }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd data-stat={name}>{value ?? "…"}</dd>
    </div>
  );
}

/** @param {Against} against */
function strength({ log10_e, rejected }) {
  const mark = rejected ? "✗ " : "";
  if (log10_e === null) return `${mark}impossible`;
  return log10_e < 4 ? `${mark}${(10 ** log10_e).toPrecision(2)}` : `${mark}10 to the ${log10_e.toFixed(0)}`;
}

/** @param {number} total_variation */
const distance = (total_variation) => (total_variation === 0 ? "0" : total_variation.toPrecision(3));

/**
 * @param {{examined: KnobsExamined | null, isSet: (one: WiringFound) => boolean, isOld: boolean}} props
 */
function Wirings({ examined, isSet, isOld }) {
  return (
    <table class="wiring-table" data-old={isOld}>
      <thead>
        <tr>
          <th scope="col">target</th>
          <th scope="col">draft</th>
          <th scope="col">ratio</th>
          <th scope="col">what comes out</th>
          <th scope="col">TV</th>
        </tr>
      </thead>
      <tbody>
        {(examined?.wirings ?? []).map((one) => (
          <tr key={SWITCHES.map((name) => one[name]).join()} aria-current={isSet(one) ? "true" : undefined}>
            <td>{one.on_target ? "knobs" : "–"}</td>
            <td>{one.on_draft ? "knobs" : "–"}</td>
            <td>{one.in_ratio ? "q drawn" : "raw q"}</td>
            <td>
              <span aria-hidden="true">{VERDICT_MARKS[one.state]} </span>
              {one.law}
            </td>
            <td>{distance(one.with_knobs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
