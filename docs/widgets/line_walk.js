// "Line by line": the reader's walk through the lines that made the newest step.

/** @typedef {import("./steps_shown.js").StepsShown} StepsShown */

/** Says "change" when only the line is another one: all else on the page stays as it is. */
export class LineWalk extends EventTarget {
  /** Whether the reader is in this mode. */
  on = false;

  #steps;
  #player;
  #session;

  /**
   * @param {StepsShown} steps
   * @param {import("./step_player.js").StepPlayer} player
   * @param {{stop: () => void, changed: () => void, relearn: () => Promise<void>,
   *   makeStep: () => Promise<void>}} session relearn: makes the steps shown anew, with the
   *   newest one's lines; makeStep: one more, that stands at its first line
   */
  constructor(steps, player, session) {
    super();
    this.#steps = steps;
    this.#player = player;
    this.#session = session;
  }

  /** Whether the lines that made the newest step are known. */
  get known() {
    return this.#steps.lines !== null;
  }

  /** Which line of how many the reader stands at, from 1. */
  get place() {
    return { at: this.#steps.at + 1, of: this.#steps.lines?.length ?? 0 };
  }

  /** Whether all lines of the step are known, not only the first of very many. */
  get complete() {
    return this.#steps.lines?.complete ?? true;
  }

  /** Where the reader stands; null if no lines are known. */
  get stop() {
    return this.#steps.lines?.at(this.#steps.at) ?? null;
  }

  get intoChecks() {
    return this.#steps.intoChecks;
  }

  /** Whether the lines go by by themselves. */
  get playing() {
    return this.#player.playing;
  }

  /** @param {boolean} on */
  async turn(on) {
    this.on = on;
    if (!on) this.#steps.end();
    this.#session.changed();
    if (on && !this.known && this.#steps.session.steps > 0) await this.#session.relearn();
  }

  /** @param {boolean} intoChecks */
  setIntoChecks(intoChecks) {
    this.#steps.setIntoChecks(intoChecks);
    this.#session.changed();
  }

  /** One line on; after a step's last line, to the first line of a new step. */
  async next() {
    const { at, of } = this.place;
    this.#session.stop();
    if (at < of) this.walkTo(at);
    else await this.#session.makeStep();
  }

  previous() {
    this.#session.stop();
    this.walkTo(this.#steps.at - 1);
  }

  first() {
    this.#session.stop();
    this.walkTo(0);
  }

  last() {
    this.#session.stop();
    this.walkTo(Number.POSITIVE_INFINITY);
  }

  /** Shows the step again, from its first line. */
  async replay() {
    this.first();
    if (this.#player.animates) await this.#player.lines();
    this.#session.changed();
  }

  /** @param {number} at */
  walkTo(at) {
    if (this.#steps.standAt(at)) this.#session.changed();
    else this.dispatchEvent(new Event("change"));
  }
}
