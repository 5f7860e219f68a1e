// The playground's session: what the reader did, what Python answered, how far it is shown.
// It draws nothing; it says "change" and the view (playground.jsx) shows it.

import { describe, python } from "./python.js";
import { clampCostRatio, clampSeed, formatAddress } from "./session_address.js";

/**
 * @typedef {import("./types").Settings} Settings
 * @typedef {import("./types").FirstFrame} FirstFrame
 * @typedef {import("./types").Frame} Frame
 * @typedef {import("./types").Pace} Pace
 * @typedef {import("./types").State} State
 * @typedef {import("./types").Certificate} Certificate
 * @typedef {import("./session_address.js").Opening} Opening
 */

const SCENE = "playground";
const FRAMES_KEPT = 60; // steps whose tokens are on the page
const CHUNK = 50; // steps a call when nothing is animated
const GUESS_MS = 190;
const BEFORE_VERDICT_MS = 260;
const VERDICT_MS = 420;
const AFTER_STEP_MS = 560;
const STILL_STEP_MS = 900; // a step's time when nothing moves (reduced motion)
const UNANIMATED_MS = 40;
const PLAYED_STEPS = 5; // a picture while a prediction is being tested

/** Animation speeds by name; `steps` at once and no animation where motion would be a blur. */
export const SPEEDS = /** @type {const} */ ({
  slow: { factor: 0.4, steps: 1 },
  normal: { factor: 1, steps: 1 },
  fast: { factor: 4, steps: 1 },
  max: { factor: 0, steps: 10 },
});

export class PlaygroundSession extends EventTarget {
  /** @type {Frame[]} */
  frames = [];
  /** @type {Pace[]} */
  pace = [];
  running = false;
  /** @type {keyof typeof SPEEDS} */
  speed = "normal";
  /** How much of the newest frame is shown: guesses, then the verdict on all of them. */
  shown = { guesses: Number.POSITIVE_INFINITY, verdict: true };
  notice = "";
  error = "";
  /** Where the certificate was made: with the site, or in this tab. */
  certifiedHere = false;

  #command = 0; // what the reader pressed last; a loop ends when it is no longer its own
  #epoch = 0; // which session this is; a replay ends when another has begun
  #opened = false;
  #runWhenUp = false;
  #turn = Promise.resolve();
  /** @type {(() => void) | undefined} */
  #hurry;
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
    if (opening) this.notice = "Starting Python to replay the run in this address";
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

  /** Brings Python to where the page stands; anything the reader pressed meanwhile goes on. */
  async connect() {
    await this.#guarded(async () => {
      await this.#open();
      while (!this.certifiedHere) await this.#inTurn(() => this.#certify());
    });
    if (this.#runWhenUp && python.status.status === "live") this.run();
  }

  /** @param {Partial<Settings>} change takes effect at the next step, nothing is reset */
  set(change) {
    this.settings = { ...this.settings, ...change };
    this.#changed();
  }

  /** @param {keyof typeof SPEEDS} speed */
  setSpeed(speed) {
    this.speed = speed;
    this.#hurry?.();
    this.#changed();
  }

  /** @param {number} ratio */
  async setCostRatio(ratio) {
    this.costRatio = clampCostRatio(ratio);
    this.#changed();
    await this.#guarded(async () => {
      await this.#open();
      await this.#inTurn(async () => {
        this.state = (await this.#advance(0)).state;
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
            this.#show(await this.#advance(Math.min(PLAYED_STEPS, left)));
            await this.#wait(UNANIMATED_MS);
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
    this.#hurry?.();
    return this.#command;
  }

  async #open() {
    await python.boot();
    await this.#inTurn(async () => {
      if (this.#opened) return;
      this.#opened = await this.#openAt(this.#opening);
    });
  }

  async #restart() {
    this.#epoch += 1;
    const { seed, costRatio } = this;
    this.#opening = { seed, costRatio, steps: 0, log: [[0, { ...this.settings }]] };
    this.#opened = false;
    await this.#open();
  }

  /**
   * Whatever talks to Python does so whole, one after the other.
   *
   * @param {() => Promise<void>} work
   */
  #inTurn(work) {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  /**
   * @param {Opening} opening
   * @returns {Promise<boolean>} false if another session began meanwhile
   */
  async #openAt({ seed, costRatio, steps, log }) {
    const epoch = this.#epoch;
    const begun = await python.call(SCENE, "open", { seed, cost_ratio: costRatio });
    /** @type {Frame[]} */
    let frames = [];
    /** @type {Pace[]} */
    const pace = [];
    let state = /** @type {State} */ (begun.state);
    for (const [i, [start, settings]] of log.entries()) {
      const end = log[i + 1]?.[0] ?? steps;
      for (let done = start; done < end && epoch === this.#epoch; done += CHUNK) {
        const count = Math.min(CHUNK, end - done);
        const payload = { ...settings, count, cost_ratio: costRatio };
        const run = await python.call(SCENE, "advance", payload);
        frames = [...frames, ...run.frames].slice(-FRAMES_KEPT);
        for (const frame of run.frames) pace.push(frame.pace);
        state = run.state;
        if (steps > CHUNK) {
          this.notice = `Replaying step ${pace.length} of ${steps}`;
          this.#changed();
        }
      }
    }
    if (epoch !== this.#epoch) return false;
    this.frames = frames;
    this.pace = pace;
    this.state = state;
    this.notice = "";
    this.#whole();
    this.#changed();
    return true;
  }

  async #certify() {
    const { done, certificate } = await python.call(SCENE, "certify", {});
    if (!done && certificate.state === "exact") return; // exact only when all models are
    this.certificate = certificate;
    this.certifiedHere = true;
    this.#changed();
  }

  /**
   * @param {number} count
   * @returns {Promise<import("./types").Run>}
   */
  #advance(count) {
    return python.call(SCENE, "advance", { ...this.settings, count, cost_ratio: this.costRatio });
  }

  /**
   * @param {number} command
   * @param {number} [steps] else as many as the speed says
   */
  async #step(command, steps) {
    if (this.state.finished || command !== this.#command) return;
    const speed = SPEEDS[this.speed];
    const run = await this.#advance(steps ?? speed.steps);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!speed.factor || still || command !== this.#command) {
      this.#show(run);
      if (steps) return;
      await this.#wait(speed.factor ? STILL_STEP_MS / speed.factor : UNANIMATED_MS);
      return;
    }
    await this.#animate(run, command);
  }

  /**
   * @param {import("./types").Run} run of one step
   * @param {number} command
   */
  async #animate(run, command) {
    const wait = async (/** @type {number} */ ms) => {
      const { factor } = SPEEDS[this.speed];
      if (command === this.#command && factor) await this.#wait(ms / factor);
    };
    const guesses = run.frames[0].gamma;
    const before = this.state;
    this.#show(run);
    this.state = before; // the figures change with the verdict
    for (let guess = 1; guess <= guesses; guess += 1) {
      this.shown = { guesses: guess, verdict: false };
      this.#changed();
      await wait(GUESS_MS);
    }
    await wait(BEFORE_VERDICT_MS);
    this.#whole();
    this.state = run.state;
    this.#changed();
    await wait(VERDICT_MS + (this.running ? AFTER_STEP_MS : 0));
  }

  /** @param {import("./types").Run} run */
  #show(run) {
    this.frames = [...this.frames, ...run.frames].slice(-FRAMES_KEPT);
    for (const frame of run.frames) this.pace.push(frame.pace);
    this.state = run.state;
    this.#whole();
    this.#changed();
  }

  #whole() {
    this.shown = { guesses: Number.POSITIVE_INFINITY, verdict: true };
  }

  /** @param {number} ms */
  async #wait(ms) {
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
    this.#hurry = undefined;
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
