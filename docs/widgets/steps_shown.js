// The steps on the screen: their tokens, their place in the charts, the figures after them,
// and how much of the newest one is shown.

import { FRAMES_KEPT } from "./playground_scene.js";

/**
 * @typedef {import("./types").Frame} Frame
 * @typedef {import("./types").Pace} Pace
 * @typedef {import("./types").Run} Run
 * @typedef {import("./types").State} State
 */

const ALL_SHOWN = { guesses: Number.POSITIVE_INFINITY, verdict: true };

export class StepsShown {
  /** @type {Frame[]} the last of them */
  frames = [];
  /** @type {Pace[]} one a step */
  pace = [];
  /** How much of the newest frame is shown: guesses, then the verdict on all of them. */
  shown = ALL_SHOWN;
  state;

  /** @param {State} state */
  constructor(state) {
    this.state = state;
  }

  /** @param {{frames: Frame[], pace: Pace[], state: State}} steps take the place of all others */
  replace({ frames, pace, state }) {
    Object.assign(this, { frames, pace, state, shown: ALL_SHOWN });
  }

  /** @param {Run} run of which nothing is shown yet */
  begin(run) {
    this.frames = [...this.frames, ...run.frames].slice(-FRAMES_KEPT);
  }

  /** @param {Run} run begun before: its figures and its place in the charts come with its end */
  end(run) {
    for (const frame of run.frames) this.pace.push(frame.pace);
    this.shown = ALL_SHOWN;
    this.state = run.state;
  }
}
