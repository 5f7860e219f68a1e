// The steps on the screen: their tokens, their place in the charts, the figures after them,
// and how much of the newest one is shown, line by line if its lines are known.

import { ExecutedLines } from "./executed_lines.js";
import { FRAMES_KEPT } from "./playground_scene.js";

/**
 * @typedef {import("./types").Frame} Frame
 * @typedef {import("./types").Pace} Pace
 * @typedef {import("./types").Run} Run
 * @typedef {import("./types").Session} Session
 * @typedef {import("./types").Settings} Settings
 * @typedef {import("./types").Shown} Shown
 * @typedef {import("./types").State} State
 */

/** @type {Shown} */
const ALL = { guesses: Number.POSITIVE_INFINITY, checked: Number.POSITIVE_INFINITY, own: true };
/** @type {Shown} */
const NOTHING = { guesses: 0, checked: 0, own: false };

export class StepsShown {
  /** @type {Frame[]} the last of them */
  frames = [];
  /** @type {Pace[]} one a step */
  pace = [];
  /** How much of the newest frame is shown. */
  shown = ALL;
  /** @type {ExecutedLines | null} those that made the newest frame, if they were asked for */
  lines = null;
  /** At which of them the reader stands. */
  at = 0;
  /** Whether a walk through the lines goes through the argument checks too. */
  intoChecks = false;
  /** @type {State} the figures after the steps that are shown to their end */
  state;
  /** @type {Session} what the steps shown are a function of */
  session;

  /** @type {Run | null} begun, and not yet shown to its end */
  #unfinished = null;

  /**
   * @param {State} state
   * @param {Session} session
   */
  constructor(state, session) {
    this.state = state;
    this.session = session;
  }

  /** Whether the newest frame is shown, or has been shown, to its end. */
  get finished() {
    return this.#unfinished === null;
  }

  /** The frames whose tokens are out. */
  get written() {
    return this.finished ? this.frames : this.frames.slice(0, -1);
  }

  /**
   * @param {Settings} settings in force from the next step on
   * @returns {Session} with these settings in its log, run or not run yet
   */
  sessionWith(settings) {
    const { seed, steps } = this.session;
    const log = [...this.session.log];
    const last = log.at(-1)?.[1];
    if (last?.quality !== settings.quality || last.gamma !== settings.gamma) {
      if (log.at(-1)?.[0] === steps) log.pop();
      log.push([steps, { ...settings }]);
    }
    return { seed, steps, log };
  }

  /** @param {{frames: Frame[], pace: Pace[], state: State}} steps take the place of all others */
  replace({ frames, pace, state }) {
    this.#unfinished = null;
    this.frames = [];
    this.pace = pace;
    this.#append(frames);
    this.#showAll(state);
  }

  /** @param {Run} run of which nothing is shown yet but the line that runs first */
  begin(run) {
    this.#unfinished = run;
    this.#append(run.frames);
    this.show(NOTHING);
    this.standAt(0);
  }

  /** @param {Shown} shown of the newest frame */
  show(shown) {
    this.shown = shown;
  }

  /**
   * Shows what the newest frame's lines had made before this one.
   *
   * @param {number} at
   * @returns {boolean} whether that was its end for the first time, so that figures came with it
   */
  standAt(at) {
    if (!this.lines) return false;
    const { state } = this;
    this.at = Math.min(Math.max(at, 0), this.lines.length - 1);
    if (this.at === this.lines.length - 1) this.end();
    else this.show(this.lines.at(this.at).shown);
    return state !== this.state;
  }

  /** Shows all of the newest frame; with the first time come its figures. */
  end() {
    for (const { pace } of this.#unfinished?.frames ?? []) this.pace.push(pace);
    const { state } = this.#unfinished ?? this;
    this.#unfinished = null;
    this.#showAll(state);
  }

  /** @param {State} state the figures anew, no step made */
  refresh(state) {
    this.end();
    this.#showAll(state);
  }

  /** @param {boolean} intoChecks the reader stays at the same line, or goes to the one before */
  setIntoChecks(intoChecks) {
    this.intoChecks = intoChecks;
    if (!this.lines) return;
    const [lines, at] = this.lines.walkedOtherwise(this.at, intoChecks);
    this.lines = lines;
    this.standAt(at);
  }

  /** @param {Frame[]} frames only of the newest one the lines are kept: they are many */
  #append(frames) {
    const lines = frames.at(-1)?.lines;
    this.lines = lines?.lines.length ? new ExecutedLines(lines, this.intoChecks) : null;
    const withoutLines = frames.map(({ lines: _, ...frame }) => frame);
    this.frames = [...this.frames, ...withoutLines].slice(-FRAMES_KEPT);
  }

  /** @param {State} state */
  #showAll(state) {
    this.shown = ALL;
    if (this.lines) this.at = this.lines.length - 1;
    if (state !== this.state) this.session = state.session;
    this.state = state;
  }
}
