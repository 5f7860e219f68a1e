// <spec-playground>: shows the run made at build time at once, then goes on with Python.

import { render } from "preact";
import { Controls } from "./controls.jsx";
import { DistributionChart } from "./distribution_chart.jsx";
import { EmittedText } from "./emitted_text.jsx";
import { Inspector } from "./inspector.jsx";
import { KeptAddress } from "./kept_address.js";
import { LineViewOnDemand } from "./line_view_on_demand.jsx";
import { PaceChart } from "./pace_chart.jsx";
import { PlaygroundSession } from "./playground_session.js";
import { python } from "./python.js";
import { PythonNote } from "./python_note.jsx";
import { parseAddress } from "./session_address.js";
import { Stage } from "./stage.jsx";
import { startWhenNeeded } from "./start_policy.js";
import { StatisticsTiles } from "./statistics.jsx";
import { useChanges } from "./use_changes.js";
import { Verdict } from "./verdict.jsx";

/** @typedef {import("./token_buttons.jsx").TokenId} TokenId */

export class PlaygroundElement extends HTMLElement {
  /** @type {PlaygroundSession | undefined} */
  session;
  /** @type {KeptAddress | undefined} */
  #address;

  connectedCallback() {
    const template = this.querySelector("template");
    const data = template?.content.textContent;
    if (!data || this.session) return;
    const first = JSON.parse(data);
    const session = new PlaygroundSession(first, parseAddress(location.search, first));
    this.session = session;
    this.#address = new KeptAddress(session);
    this.replaceChildren();
    render(<Playground session={session} />, this);
    python.addEventListener("change", this.#showStatus);
    this.#showStatus();
    session.connect();
    startWhenNeeded(this);
  }

  disconnectedCallback() {
    this.#address?.end();
    this.session?.close();
    this.session = undefined;
    python.removeEventListener("change", this.#showStatus);
    render(null, this);
  }

  #showStatus = () => {
    this.dataset.python = python.status.status;
  };

  writeAddress() {
    this.#address?.write();
  }
}

/** @param {{session: PlaygroundSession}} props */
function Playground({ session }) {
  useChanges(session, python);
  const { status } = python;
  const { frames, state, selected, steps, lineByLine } = session;
  const { written } = steps;
  const chosen = written.find(({ step }) => step === selected?.step);
  // Until the reader selects a token, the one that ended the newest judged step is shown.
  const inspected = chosen ?? written.at(-1);
  const cell = chosen && selected ? chosen.cells[selected.index] : decisive(inspected);
  const tokens = { selected, onSelect: (/** @type {TokenId} */ id) => session.select(id) };
  return (
    <div class="playground" data-speed={session.speed} data-lines={lineByLine.on}>
      <StatisticsTiles state={state} costRatio={session.costRatio}>
        <Verdict built={session.first.certificate} evidence={state.evidence} />
      </StatisticsTiles>
      <p class="statistics-note">Large: since a slider last moved. Small: the whole run.</p>
      <div class="left">
        <Controls session={session} status={status.status} />
        <PythonNote
          file="speculative.py"
          status={status}
          notice={session.notice}
          error={session.error}
          showsRun={frames.length > 0}
          onRetry={() => python.retry().catch(() => {})} // the status says what failed
        />
      </div>
      <div class="middle">
        <StepAndLines session={session} {...tokens} />
        <EmittedText frames={written} total={state.run.tokens_emitted} {...tokens} />
        <Inspector
          cell={cell}
          step={inspected?.step ?? 0}
          words={state.distribution.words}
          onFollow={chosen && selected ? () => session.select(selected) : null}
        />
      </div>
      <div class="right">
        <PaceChart pace={session.pace} />
        <DistributionChart distribution={state.distribution} level={state.evidence.level} />
      </div>
    </div>
  );
}

/**
 * The step on the stage and the lines that make it: what changes with every line.
 *
 * @param {{session: PlaygroundSession, selected: TokenId | null,
 *   onSelect: (id: TokenId) => void}} props
 */
function StepAndLines({ session, ...tokens }) {
  const { steps, lineByLine, settings } = session;
  useChanges(lineByLine);
  return (
    <>
      <Stage frame={steps.frames.at(-1)} shown={steps.shown} gamma={settings.gamma} {...tokens} />
      {lineByLine.on && (
        <LineViewOnDemand
          walk={lineByLine}
          running={session.running}
          finished={steps.state.finished}
        />
      )}
    </>
  );
}

/**
 * @param {import("./types").Frame | undefined} frame
 * @returns the guess that was rejected, else the bonus token
 */
const decisive = (frame) =>
  frame?.cells.find(({ kind }) => kind === "rejected") ?? frame?.cells.at(-1);
