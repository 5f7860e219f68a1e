// <spec-exactness>: a small model the reader sets, and whether the code in force is exact on it.
// What was found when the page was built is shown at once; Python takes over when it is up.

import { render } from "preact";
import { codeInUse } from "./code_in_use.js";
import { ExactnessCheck } from "./exactness_check.js";
import { ExactnessVerdict } from "./exactness_verdict.jsx";
import { LawChart } from "./law_chart.jsx";
import { ModelEditor } from "./model_editor.jsx";
import { python } from "./python.js";
import { startWhenNeeded } from "./start_policy.js";
import { useChanges } from "./use_changes.js";

/** @typedef {import("./exactness_types").ExactnessFrame} ExactnessFrame */

const code = codeInUse("speculative.py");

export class ExactnessElement extends HTMLElement {
  /** @type {ExactnessCheck | undefined} */
  check;
  #panel = document.createElement("div");
  #sight = new IntersectionObserver(
    (changes) => this.check?.see(changes[changes.length - 1].isIntersecting),
    { rootMargin: "200px" },
  );

  connectedCallback() {
    const data = this.querySelector("template")?.content.textContent;
    if (!data || this.check) return;
    const frame = /** @type {ExactnessFrame} */ (JSON.parse(data));
    this.check = new ExactnessCheck(frame);
    for (const child of this.children) if (child instanceof HTMLElement) child.hidden = true;
    this.#panel.className = "exactness";
    this.append(this.#panel);
    render(<Panel frame={frame} check={this.check} />, this.#panel);
    this.#sight.observe(this.#panel);
    startWhenNeeded(this);
  }

  disconnectedCallback() {
    this.#sight.disconnect();
    this.check?.close();
    this.check = undefined;
    render(null, this.#panel);
    this.#panel.remove();
  }
}

/** @param {{frame: ExactnessFrame, check: ExactnessCheck}} props */
function Panel({ frame, check }) {
  useChanges(check, python, code);
  const { oneStep, sequences } = check;
  const shown = check.sequencesAreOld || !sequences.law ? oneStep : sequences;
  return (
    <>
      <ModelEditor frame={frame} check={check} />
      <div class="exactness-findings" data-old={check.oneStepIsOld}>
        <ExactnessVerdict frame={frame} check={check} edited={code.edited} />
        <LawChart result={shown} />
      </div>
    </>
  );
}
