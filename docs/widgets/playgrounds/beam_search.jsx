// The playground of the page "Beam search": the tree of a search as it grows, what became of each
// hypothesis, and what greedy decoding and a look at every continuation find.

import { useState } from "preact/hooks";
import { ChosenNode } from "../beam_search/chosen_node.jsx";
import { FailureChart } from "../beam_search/failure_chart.jsx";
import { NODE_KINDS } from "../beam_search/node_kinds.js";
import { SearchTree } from "../beam_search/search_tree.jsx";
import { Winners } from "../beam_search/winners.jsx";
import { NumberField, Slider } from "../fields.jsx";
import { definePlayground } from "../playground_element.jsx";
import { SettingFields } from "../setting_fields.jsx";
import { VERDICT_MARKS } from "../verdict_marks.js";

/**
 * @typedef {import("../beam_search/state").BeamFrame} BeamFrame
 * @typedef {import("../beam_search/state").BeamState} BeamState
 * @typedef {import("../beam_search/state").Failures} Failures
 * @typedef {import("../scene_types").ShownSession<BeamState, Failures>} Session
 */

const CONTROLS = ["model", "width", "length_penalty", "num_tokens"];

/** @param {import("../scene_types").ViewProps<BeamState, Failures>} props */
export function View({ session, note }) {
  const { state, settings, stale } = session;
  const { words } = /** @type {BeamFrame} */ (session.first);
  const [lookedAt, lookAt] = useState(/** @type {number | null} */ (null)); // null: the last
  const [path, select] = useState("");
  const made = state.columns.length;
  const shown = Math.min(lookedAt ?? made, made);
  const columns = state.columns.slice(0, shown);
  const width = Number(settings.width);
  const node = columns.flat().find(({ tokens }) => `${tokens}` === path) ?? foremost(columns);
  return (
    <div class="playground beam-search" data-stale={stale}>
      <Verdict state={state} />
      <div class="left">
        <section class="controls" aria-label="Search">
          <SettingFields session={session} names={CONTROLS} />
          <Steps session={session} shown={shown} made={made} lookAt={lookAt} />
        </section>
        <div class="note-slot">{note}</div>
      </div>
      <div class="middle">
        <section class="search" aria-label="Tree">
          <header>
            <h2>
              The search{" "}
              <span>
                step {shown} of {state.finished ? made : `at most ${Number(settings.num_tokens)}`}
              </span>
            </h2>
            <Legend />
          </header>
          <SearchTree
            columns={columns}
            words={words}
            maxSteps={Number(settings.num_tokens)}
            selected={node}
            onSelect={note ? ({ tokens }) => select(`${tokens}`) : null}
          />
        </section>
      </div>
      <div class="right">
        <ChosenNode columns={columns} node={node} words={words} width={width} />
        <Winners state={state} width={width} penalised={Number(settings.length_penalty) > 0} />
        <FailureChart failures={session.examined} isOld={session.examinedIsOld} />
      </div>
    </div>
  );
}

/** @param {{state: BeamState}} props */
function Verdict({ state: { found, beam, best } }) {
  const verdict = found === null ? "checking" : found ? "exact" : "not exact";
  return (
    <p class="tile verdict-tile" data-verdict={verdict}>
      <b data-stat="verdict" role="status">
        <span aria-hidden="true">{VERDICT_MARKS[verdict]} </span>
        {found === null ? "searching" : found ? "found the best" : "missed the best"}
      </b>{" "}
      {beam && !found
        ? `By score, another text is better by ${(best.score - beam.score).toFixed(2)}; the ★ shows where it was lost.`
        : "★ marks the best of all texts by score, wherever the tree still holds its beginning."}
    </p>
  );
}

function Legend() {
  return (
    <p class="legend">
      {Object.entries(NODE_KINDS).map(([kind, { mark, word }]) => (
        <span key={kind} data-kind={kind}>
          <span class="mark">{mark}</span> {word}
        </span>
      ))}
      <span>
        <span class="star">★</span> the best of all
      </span>
    </p>
  );
}

/**
 * Run, Step, Back and Reset. Back looks at what was found before; nothing is searched anew.
 *
 * @param {{session: Session, shown: number, made: number,
 *   lookAt: (step: number | null) => void}} props
 */
function Steps({ session, shown, made, lookAt }) {
  const { running, waiting, state, first, seed } = session;
  const atEnd = shown === made;
  const latest = (/** @type {() => void} */ then) => () => {
    lookAt(null);
    then();
  };
  return (
    <div class="run-buttons">
      <div class="buttons">
        <button
          type="button"
          class="primary"
          disabled={state.finished && atEnd}
          onClick={latest(() => (running ? session.pause() : session.run()))}
        >
          {running ? "Pause" : "Run"}
        </button>
        <button
          type="button"
          disabled={state.finished && atEnd}
          onClick={atEnd ? latest(() => session.step()) : () => lookAt(shown + 1)}
        >
          Step
        </button>
        <button type="button" disabled={shown === 0} onClick={() => lookAt(shown - 1)}>
          Back
        </button>
        <button type="button" onClick={latest(() => session.reset())}>
          Reset
        </button>
      </div>
      <p class="run-note" aria-live="polite">
        {waiting > 0 && !running
          ? "As soon as Python is up"
          : state.finished && "The search is at its end: go Back, or Reset"}
      </p>
      {made > 0 && (
        <Slider
          label="Step shown"
          value={shown}
          shown={`${shown} of ${made}`}
          min={0}
          max={made}
          step={1}
          onInput={(step) => lookAt(step)}
        />
      )}
      <div class="fields">
        <NumberField
          label="Seed of the random model"
          value={seed}
          step={1}
          max={first.max_seed}
          onCommit={(number) => session.reset(number)}
        />
      </div>
    </div>
  );
}

/**
 * @param {BeamState["columns"]} columns
 * @returns {BeamState["columns"][0][0] | undefined} what is shown where nothing is selected: the
 *   likeliest of the last step
 */
const foremost = (columns) => columns[columns.length - 1]?.find(({ rank }) => rank === 1);

definePlayground("beam_search", "beam.py", View); // last: the page's element is drawn now
