// <spec-mistakes>: one change of the code at a time; predict first, then see, watch, apply.
// The entries and what enumeration found of them stand in the page (site_hooks/mistakes.py).

import { render } from "preact";
import { MistakeAftermath } from "./mistake_aftermath.jsx";
import { MistakePicker } from "./mistake_picker.jsx";
import { MistakePrediction } from "./mistake_prediction.jsx";
import { mistakeQuiz } from "./mistake_quiz.js";
import { startWhenNeeded } from "./start_policy.js";

/**
 * @typedef {{name: string, article: HTMLElement, facts: HTMLDetailsElement,
 *   prediction: Element, aftermath: Element}} Entry
 */

export class MistakesElement extends HTMLElement {
  #picker = document.createElement("div");
  /** @type {Entry[]} */
  #entries = [];

  connectedCallback() {
    this.#entries = [...this.querySelectorAll("article")].map(entryOf);
    mistakeQuiz.open(new Map(this.#entries.map(({ name, article }) => [name, truthOf(article)])));
    const named = location.hash.slice(1);
    if (mistakeQuiz.names.includes(named)) mistakeQuiz.current = named;
    this.#picker.className = "mistake-picker";
    this.prepend(this.#picker);
    const titles = this.#entries.map(({ article }) => article.querySelector("h3")?.textContent ?? "");
    render(<MistakePicker titles={titles} />, this.#picker);
    mistakeQuiz.addEventListener("change", this.#show);
    this.#show();
    this.dataset.ready = "";
    startWhenNeeded(this);
  }

  disconnectedCallback() {
    mistakeQuiz.removeEventListener("change", this.#show);
    for (const { prediction, aftermath } of this.#entries) {
      render(null, prediction);
      render(null, aftermath);
    }
    render(null, this.#picker);
    this.#picker.remove();
  }

  /** Shows the current entry, and of it what the reader may know by now. */
  #show = () => {
    const tokens = Number(this.dataset.testTokens);
    for (const { name, article, facts, prediction, aftermath } of this.#entries) {
      const current = name === mistakeQuiz.current;
      const answered = mistakeQuiz.answer(name) !== undefined;
      article.hidden = !current;
      facts.hidden = !answered;
      facts.open = answered;
      render(current && <MistakePrediction key={name} name={name} tokens={tokens} />, prediction);
      render(current && answered && <MistakeAftermath key={name} name={name} />, aftermath);
    }
  };
}

/**
 * @param {HTMLElement} article
 * @returns {Entry}
 */
function entryOf(article) {
  const find = (/** @type {string} */ selector) =>
    /** @type {Element} */ (article.querySelector(selector));
  return {
    name: article.dataset.mistake ?? "",
    article,
    facts: /** @type {HTMLDetailsElement} */ (find("details")),
    prediction: find('[data-slot="prediction"]'),
    aftermath: find('[data-slot="aftermath"]'),
  };
}

/** @param {HTMLElement} article */
function truthOf({ dataset: { changes, notices } }) {
  return { changes: changes === "yes", notices: notices === "yes" };
}
