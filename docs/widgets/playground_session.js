// The playground's session: what the reader did, what Python answered, how far it is shown.
// It draws nothing; it says "change" and the view (playground.jsx) shows it.

import * as pacing from "./pacing.js";
import { advance, certifyNext, FRAMES_KEPT, replay } from "./playground_scene.js";
import { describe, python } from "./python.js";
import { clampCostRatio, clampSeed, formatAddress } from "./session_address.js";

/**
 * @typedef {import("./types").Settings} Settings
 * @typedef {import("./types").FirstFrame} FirstFrame
 * @typedef {import("./types").Frame} Frame
 * @typedef {import("./types").Pace} Pace
 * @typedef {import("./types").Run} Run
 * @typedef {import("./types").State} State
 * @typedef {import("./session_address.js").Opening} Opening
 */

const PLAYED_STEPS = 5; // a picture, while a prediction is being tested
const ALL_SHOWN = { guesses: Number.POSITIVE_INFINITY, verdict: true };

export class PlaygroundSession extends EventTarget {
  /** @type {Frame[]} */
  frames = [];
  /** @type {Pace[]} */
  pace = [];
  running = false;
  /** @type {keyof typeof pacing.SPEEDS} */
  speed = "normal";
  /** How much of the newest frame is shown: guesses, then the verdict on all of them. */
  shown = ALL_SHOWN;
  notice = "";
  error = "";
  /** Where the certificate was made: with the site, or in this tab. */
  certifiedHere = false;

  #command = 0; // what the reader pressed last; a loop ends when it is no longer its own
  #epoch = 0; // which session this is; a replay ends when another has begun
  #opened = false;
  #runWhenUp = false;
  #turn = Promise.resolve();
  #pause = new pacing.Pause();
  /** @type {Opening} */
  #opening;

  /**
   * @param {FirstFrame} first the run made at build time
   * @param {Opening | null} opening the session of the address, if it has one
   */
  constructor(first, opening) {
    super();
    this.first = first;
    this.state = first.state;
    this.certificate = first.certificate;
    const { seed, steps, log } = first.state.session;
    const costRatio = first.defaults.cost_ratio;
    this.#opening = opening ?? { seed, steps, log, costRatio };
    this.seed = this.#opening.seed;
    this.costRatio = this.#opening.costRatio;
    this.settings = { ...this.#opening.log[this.#opening.log.length - 1][1] };
    if (opening) this.notice = "Python will replay the run of this address";
    else this.#show(first);
  }

  /** What the address has to carry for all that is on the screen, sliders not yet run included. */
  get address() {
    const { steps, log } = this.#opened ? this.state.session : this.#opening;
    /** @type {[number, Settings][]} */
    const full = [...log];
    const last = full.at(-1)?.[1];
    if (last?.quality !== this.settings.quality || last?.gamma !== this.settings.gamma) {
      if (full.at(-1)?.[0] === steps) full.pop();
      full.push([steps, { ...this.settings }]);
    }
    return formatAddress({ seed: this.seed, costRatio: this.costRatio, steps, log: full });
  }

  /** Brings Python to where the page stands; a run asked for meanwhile begins then. */
  async connect() {
    await this.#guarded(async () => {
      await this.#open();
      if (this.#runWhenUp && !this.running) this.run();
      while (!this.certifiedHere) await this.#inTurn(() => this.#certify());
    });
  }

  /** @param {Partial<Settings>} change takes effect at the next step, nothing is reset */
  set(change) {
    this.settings = { ...this.settings, ...change };
    this.#changed();
  }

  /** @param {keyof typeof pacing.SPEEDS} speed */
  setSpeed(speed) {
    this.speed = speed;
    this.#pause.hurry();
    this.#changed();
  }

  /** @param {number} ratio */
  async setCostRatio(ratio) {
    this.costRatio = clampCostRatio(ratio);
    this.#changed();
    await this.#guarded(async () => {
      await this.#open();
      await this.#inTurn(async () => {
        this.state = (await advance(this.settings, 0, this.costRatio)).state;
      });
    });
  }

  async run() {
    const command = this.#begin();
    this.running = true;
    this.#runWhenUp = true;
    this.#changed();
    await this.#guarded(async () => {
      await this.#open();
      this.#runWhenUp = false;
      while (command === this.#command && !this.state.finished) {
        await this.#inTurn(() => this.#step(command));
      }
    });
    if (command === this.#command) this.running = false;
    this.#changed();
  }

  pause() {
    this.#begin();
    this.#changed();
  }

  async step() {
    const command = this.#begin();
    await this.#guarded(async () => {
      await this.#open();
      await this.#inTurn(() => this.#step(command, 1));
    });
  }

  /** @param {number} seed the run begins anew from this seed, sliders stay */
  async reset(seed = this.seed) {
    this.#begin();
    this.seed = clampSeed(seed);
    await this.#guarded(() => this.#restart());
  }

  /**
   * Plays segments without stopping between them, as a prediction asks.
   *
   * @param {{seed: number, cost_ratio: number,
   *   segments: {settings: Settings, steps: number}[]}} plan
   * @returns {Promise<State[] | null>} where each segment ended; null if interrupted
   */
  async play({ seed, cost_ratio, segments }) {
    const command = this.#begin();
    this.seed = clampSeed(seed);
    this.costRatio = clampCostRatio(cost_ratio);
    this.running = true;
    /** @type {State[]} */
    const states = [];
    await this.#guarded(async () => {
      this.settings = { ...segments[0].settings };
      await this.#restart();
      for (const { settings, steps } of segments) {
        if (command === this.#command) this.settings = { ...settings };
        for (let left = steps; left > 0 && command === this.#command; left -= PLAYED_STEPS) {
          await this.#inTurn(async () => {
            this.#show(await advance(settings, Math.min(PLAYED_STEPS, left), this.costRatio));
            await this.#pause.wait(pacing.UNANIMATED_MS);
          });
        }
        states.push(this.state);
      }
    });
    if (command !== this.#command || this.error) return null;
    this.running = false;
    this.#changed();
    return states;
  }

  /** Ends what is going on; the next command starts from a whole step. */
  #begin() {
    this.#command += 1;
    this.running = false;
    this.#runWhenUp = false;
    this.#pause.hurry();
    return this.#command;
  }

  async #open() {
    await python.boot();
    await this.#inTurn(async () => {
      if (!this.#opened) await this.#replay();
    });
  }

  async #restart() {
    this.#epoch += 1;
    const { seed, costRatio } = this;
    this.#opening = { seed, costRatio, steps: 0, log: [[0, { ...this.settings }]] };
    this.#opened = false;
    await this.#open();
  }

  async #replay() {
    const epoch = this.#epoch;
    const { steps } = this.#opening;
    const replayed = await replay(this.#opening, (done) => {
      this.notice = done < steps ? `Replaying step ${done} of ${steps}` : "";
      this.#changed();
      return epoch === this.#epoch;
    });
    if (!replayed) return;
    Object.assign(this, replayed);
    this.#opened = true;
    this.shown = ALL_SHOWN;
    this.#changed();
  }

  async #certify() {
    const { done, certificate } = await certifyNext();
    if (!done && certificate.state === "exact") return; // exact only when all models are
    this.certificate = certificate;
    this.certifiedHere = true;
    this.#changed();
  }

  /**
   * Whatever talks to Python does so whole, one after the other.
   *
   * @param {() => Promise<void>} work
   */
  #inTurn(work) {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {}); // who asked for the work hears of its failure
    return done;
  }

  /**
   * @param {number} command
   * @param {number} [count] else as many as the speed says
   */
  async #step(command, count) {
    if (this.state.finished || command !== this.#command) return;
    const { factor, steps } = pacing.SPEEDS[this.speed];
    const run = await advance(this.settings, count ?? steps, this.costRatio);
    if (factor && !pacing.wantsStillness() && command === this.#command) {
      await this.#animate(run, command);
      return;
    }
    this.#show(run);
    if (count || command !== this.#command) return;
    await this.#pause.wait(factor ? pacing.STILL_STEP_MS / factor : pacing.UNANIMATED_MS);
  }

  /**
   * @param {Run} run of one step
   * @param {number} command
   */
  async #animate(run, command) {
    const wait = async (/** @type {number} */ ms) => {
      const { factor } = pacing.SPEEDS[this.speed];
      if (command === this.#command && factor) await this.#pause.wait(ms / factor);
    };
    const before = this.state;
    this.#show(run);
    this.state = before; // the figures change with the verdict
    for (let guesses = 1; guesses <= run.frames[0].gamma; guesses += 1) {
      this.shown = { guesses, verdict: false };
      this.#changed();
      await wait(pacing.GUESS_MS);
    }
    await wait(pacing.BEFORE_VERDICT_MS);
    this.shown = ALL_SHOWN;
    this.state = run.state;
    this.#changed();
    await wait(pacing.VERDICT_MS + (this.running ? pacing.AFTER_STEP_MS : 0));
  }

  /** @param {Run} run */
  #show(run) {
    this.frames = [...this.frames, ...run.frames].slice(-FRAMES_KEPT);
    for (const frame of run.frames) this.pace.push(frame.pace);
    this.state = run.state;
    this.shown = ALL_SHOWN;
    this.#changed();
  }

  /** @param {() => Promise<void>} work a failure is shown, never silent */
  async #guarded(work) {
    this.error = "";
    try {
      await work();
    } catch (error) {
      this.running = false;
      if (python.status.status !== "failed") this.error = describe(error);
    }
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
