// <spec-prediction>: answer first, then the playground is set up, runs, and is confronted
// with the answer. Question and choices stand in the page; plan and judgement are Python's: of
// docs/scenes/predictions.py, or of <name>_questions.py where the playground is <name>'s.

import { render } from "preact";
import { useId, useState } from "preact/hooks";
import { playgroundOfPage } from "./playground_on_page.js";
import { describe } from "./python_errors.js";
import { Scene } from "./scene.js";
import { startWhenNeeded } from "./start_policy.js";

/**
 * @typedef {{id: string, text: string}} Choice
 * @typedef {{right: boolean, choice: string, sentence: string}} Judgement
 */

/** @type {Map<string, Scene>} */
const scenes = new Map();

export class PredictionElement extends HTMLElement {
  #form = document.createElement("div");

  connectedCallback() {
    const question = this.getAttribute("question");
    const list = this.querySelector("[data-choice]")?.parentElement;
    if (!question || !list) return;
    const choices = [...list.querySelectorAll("[data-choice]")].map((item) => ({
      id: item.getAttribute("data-choice") ?? "",
      text: item.textContent?.trim() ?? "",
    }));
    list.hidden = true;
    list.after(this.#form);
    const title = this.querySelector("p")?.textContent ?? question;
    render(<Prediction question={question} title={title} choices={choices} />, this.#form);
    startWhenNeeded(this);
  }

  disconnectedCallback() {
    render(null, this.#form);
    this.#form.remove();
  }
}

/** @param {{question: string, title: string, choices: Choice[]}} props */
function Prediction({ question, title, choices }) {
  const name = useId();
  const [answer, setAnswer] = useState("");
  const [testing, setTesting] = useState(false);
  const [progress, setProgress] = useState("");
  const [judgement, setJudgement] = useState(/** @type {Judgement | null} */ (null));

  const test = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setTesting(true);
    setJudgement(null);
    setProgress("Running it in the playground above …");
    try {
      setJudgement(await confront(question, answer));
      setProgress("");
    } catch (error) {
      setProgress(`There is no run to compare with: ${describe(error)}.`);
    }
    setTesting(false);
  };

  return (
    <form class="prediction" onSubmit={test}>
      <fieldset disabled={testing}>
        <legend class="visually-hidden">{title}</legend>
        {choices.map(({ id, text }) => (
          <label key={id}>
            <input
              type="radio"
              name={name}
              value={id}
              checked={answer === id}
              onChange={() => {
                setAnswer(id);
                setJudgement(null);
              }}
            />
            {text}
          </label>
        ))}
      </fieldset>
      <button type="submit" class="primary" disabled={!answer || testing}>
        Run and see
      </button>
      <div role="status">
        {progress && <p>{progress}</p>}
        {judgement && (
          <p class="judgement" data-right={judgement.right}>
            <b>
              {judgement.right ? "✓ As you said: " : "✗ Not so. The run says: "}
              {choices.find(({ id }) => id === judgement.choice)?.text}.
            </b>{" "}
            {judgement.sentence}{" "}
            <button
              type="button"
              onClick={() => playgroundOfPage()?.scrollIntoView()}
            >
              Show the run
            </button>
          </p>
        )}
      </div>
    </form>
  );
}

/**
 * @param {string} question
 * @param {string} answer
 * @returns {Promise<Judgement>}
 */
async function confront(question, answer) {
  const playground = playgroundOfPage();
  if (!playground?.session) throw new Error("the playground of this page is not there");
  const { session } = playground;
  const name = playground.dataset.playground;
  const predictions = sceneNamed(name ? `${name}_questions` : "predictions");
  const plan = await predictions.callAnew("plan", { question });
  const states = await session.play(plan);
  if (!states) throw new Error("it was interrupted. Press “Run and see” again");
  return predictions.callAnew("judge", { question, answer, states });
}

/** @param {string} name */
function sceneNamed(name) {
  const scene = scenes.get(name) ?? new Scene(name);
  scenes.set(name, scene);
  return scene;
}
