// The reader's predictions about the list "Break it", and which entry is looked at.
// It outlives page views, so that nothing answered is asked again.

/** @typedef {{changes: boolean, notices: boolean}} Answer to the two questions, each yes or no */

class MistakeQuiz extends EventTarget {
  /** @type {string[]} the entries, in order */
  names = [];
  current = "";

  /** @type {Map<string, Answer>} what is right, computed when the page was built */
  #truths = new Map();
  /** @type {Map<string, Answer>} */
  #answers = new Map();

  /** @param {Map<string, Answer>} truths by the entries' names, in order */
  open(truths) {
    this.#truths = truths;
    this.names = [...truths.keys()];
    if (!truths.has(this.current)) this.current = this.names[0] ?? "";
  }

  /** @param {string} name */
  truth(name) {
    return /** @type {Answer} */ (this.#truths.get(name));
  }

  /** @param {string} name */
  answer(name) {
    return this.#answers.get(name);
  }

  /** @param {string} name */
  isRight(name) {
    const answer = this.#answers.get(name);
    const { changes, notices } = this.truth(name);
    return answer && answer.changes === changes && answer.notices === notices;
  }

  get right() {
    return this.names.filter((name) => this.isRight(name)).length;
  }

  /** @param {string} name */
  show(name) {
    this.current = name;
    this.#changed();
  }

  /**
   * Takes an answer; the first one counts.
   *
   * @param {string} name
   * @param {Answer} answer
   */
  predict(name, answer) {
    if (!this.#answers.has(name)) this.#answers.set(name, answer);
    this.#changed();
  }

  startOver() {
    this.#answers.clear();
    this.show(this.names[0]);
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

export const mistakeQuiz = new MistakeQuiz();
