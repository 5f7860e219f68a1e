// The playground's session: what the reader did, what Python answered, how far it is shown.
// It draws nothing; it says "change" and the view (playground.jsx) shows it.

import * as pacing from "./pacing.js";
import { PlaygroundScene } from "./playground_scene.js";
import { describe, python } from "./python.js";
import { PythonTurns } from "./python_turns.js";
import { clamp, clampCostRatio, formatAddress } from "./session_address.js";
import { StepsShown } from "./steps_shown.js";

/**
 * @typedef {import("./types").Settings} Settings
 * @typedef {import("./types").FirstFrame} FirstFrame
 * @typedef {import("./types").Run} Run
 * @typedef {import("./types").State} State
 * @typedef {import("./session_address.js").Opening} Opening
 */

const PLAYED_STEPS = 5; // a picture, while a prediction is being tested

export class PlaygroundSession extends EventTarget {
  running = false;
  /** @type {keyof typeof pacing.SPEEDS} */
  speed = "normal";
  /** @type {import("./token_buttons.jsx").TokenId | null} the token under the glass */
  selected = null;
  /** How many presses wait for Python. */
  waiting = 0;
  notice = "";
  error = "";

  #scene = new PlaygroundScene();
  #turns = new PythonTurns(() => this.#replay());
  #steps;
  #command = 0; // what the reader pressed last; a loop ends when it is no longer its own
  #epoch = 0; // which run this is; what was asked of an earlier one is dropped
  #runWhenUp = false;
  #playing = false;
  #closed = false;
  #pause = new pacing.Pause();
  /** @type {Opening} the session as far as it is shown */
  #opening;

  /**
   * @param {FirstFrame} first the run made at build time
   * @param {Opening | null} opening the session of the address, if it has one
   */
  constructor(first, opening) {
    super();
    this.first = first;
    const { defaults, state } = first;
    this.#opening = opening ?? { ...state.session, costRatio: defaults.cost_ratio };
    this.seed = this.#opening.seed;
    this.costRatio = this.#opening.costRatio;
    this.settings = { ...this.#opening.log[this.#opening.log.length - 1][1] };
    this.#steps = new StepsShown(opening ? first.blank : state);
    if (!opening) this.#show(first);
  }

  get frames() {
    return this.#steps.frames;
  }

  get pace() {
    return this.#steps.pace;
  }

  get state() {
    return this.#steps.state;
  }

  get shown() {
    return this.#steps.shown;
  }

  /** What the address has to carry for all that is on the screen, sliders not yet run included. */
  get address() {
    const { seed, steps, log } = this.#opening;
    /** @type {[number, Settings][]} */
    const full = [...log];
    const last = full.at(-1)?.[1];
    if (last?.quality !== this.settings.quality || last?.gamma !== this.settings.gamma) {
      if (full.at(-1)?.[0] === steps) full.pop();
      full.push([steps, { ...this.settings }]);
    }
    return formatAddress({ seed, costRatio: this.costRatio, steps, log: full });
  }

  /** Resolves when nothing is under way in Python. */
  get settled() {
    return this.#turns.settled;
  }

  /** Brings Python to where the page stands; a run asked for in vain before begins then. */
  async connect() {
    await this.#guarded(() => this.#open());
  }

  /** Nothing of this session goes on after this. */
  close() {
    this.#begin();
    this.#epoch += 1;
    this.#closed = true;
    this.#turns.end();
    this.#turns.settled.then(() => this.#scene.release());
  }

  /** @param {Partial<Settings>} change takes effect at the next step, nothing is reset */
  set(change) {
    if (this.#playing) this.#begin();
    this.settings = { ...this.settings, ...change };
    this.#changed();
  }

  /** @param {keyof typeof pacing.SPEEDS} speed */
  setSpeed(speed) {
    this.speed = speed;
    this.#pause.hurry();
    this.#changed();
  }

  /** @param {import("./token_buttons.jsx").TokenId} id a second time lets go of it */
  select(id) {
    const again = this.selected?.step === id.step && this.selected.index === id.index;
    this.selected = again ? null : id;
    this.#changed();
  }

  /** @param {number} ratio */
  async setCostRatio(ratio) {
    if (this.#playing) this.#begin();
    this.costRatio = clampCostRatio(ratio);
    this.#changed();
    await this.#guarded(async () => {
      await this.#open();
      await this.#turns.take(async () => {
        const run = await this.#advance(this.settings, 0);
        if (!run) return;
        this.#end(run);
      });
    });
  }

  async run() {
    const command = this.#begin();
    this.running = true;
    this.#runWhenUp = true;
    await this.#awaited(async () => {
      await this.#open();
      this.#runWhenUp = false;
      while (command === this.#command && !this.state.finished && !this.#closed) {
        await this.#turns.take(async () => {
          if (command === this.#command) await this.#step(command);
        });
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
    const epoch = this.#epoch;
    await this.#awaited(async () => {
      await this.#open();
      await this.#turns.take(async () => {
        if (epoch === this.#epoch && !this.state.finished) await this.#step(command, 1);
      });
    });
  }

  /** @param {number} seed the run begins anew from this seed, sliders stay */
  async reset(seed = this.seed) {
    this.#begin();
    this.seed = clamp(Math.round(seed), 0, this.first.max_seed);
    await this.#awaited(() => this.#restart());
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
    this.seed = seed;
    this.costRatio = cost_ratio;
    this.settings = { ...segments[0].settings };
    this.running = true;
    this.#playing = true;
    /** @type {State[]} */
    const states = [];
    this.error = "";
    try {
      await this.#restart();
      for (const { settings, steps } of segments) {
        if (command === this.#command) this.settings = { ...settings };
        for (let left = steps; left > 0 && command === this.#command; left -= PLAYED_STEPS) {
          await this.#turns.take(async () => {
            if (command !== this.#command) return;
            const count = Math.min(PLAYED_STEPS, left);
            const run = await this.#advance(settings, count);
            if (!run) return;
            this.#show(run);
            await this.#pause.wait(pacing.UNANIMATED_MS);
          });
        }
        states.push(this.state);
      }
      return command === this.#command ? states : null;
    } finally {
      if (command === this.#command) this.#begin();
      this.#changed();
    }
  }

  /** Ends what is going on; the next command starts from a whole step. */
  #begin() {
    this.#command += 1;
    this.running = false;
    this.#runWhenUp = false;
    this.#playing = false;
    this.#pause.hurry();
    return this.#command;
  }

  async #open() {
    await python.boot();
    await this.#turns.take(async () => {}); // which replays what Python does not know
    if (this.#runWhenUp && !this.running) this.run();
  }

  async #restart() {
    this.#epoch += 1;
    this.#turns.forget();
    this.selected = null;
    const { blank } = this.first;
    const state = { ...blank, session: { ...blank.session, seed: this.seed } };
    this.#steps.replace({ frames: [], pace: [], state });
    this.#stand();
    await this.#open();
  }

  async #replay() {
    const epoch = this.#epoch;
    const opening = { ...this.#opening, costRatio: this.costRatio };
    let replayed;
    try {
      replayed = await this.#scene.replay(opening, (done) => {
        this.notice = `Replaying step ${done} of ${opening.steps}`;
        this.#changed();
        return epoch === this.#epoch;
      });
    } finally {
      this.notice = "";
    }
    if (!replayed) return false;
    this.#steps.replace(replayed);
    this.#stand();
    return true;
  }

  /**
   * @param {Settings} settings
   * @param {number} count
   * @returns {Promise<Run | null>} null if it is of a run that has ended meanwhile
   */
  async #advance(settings, count) {
    const epoch = this.#epoch;
    const run = await this.#scene.advance(settings, count, this.costRatio);
    return epoch === this.#epoch ? run : null;
  }

  /**
   * @param {number} command
   * @param {number} [count] else as many as the speed says
   */
  async #step(command, count) {
    const { factor, steps } = pacing.SPEEDS[this.speed];
    const run = await this.#advance(this.settings, count ?? steps);
    if (!run) return;
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
    const epoch = this.#epoch;
    this.#steps.begin(run);
    for (let guesses = 1; guesses <= run.frames[0].gamma; guesses += 1) {
      this.#steps.shown = { guesses, verdict: false };
      this.#changed();
      await wait(pacing.GUESS_MS);
      if (epoch !== this.#epoch) return;
    }
    await wait(pacing.BEFORE_VERDICT_MS);
    if (epoch !== this.#epoch) return;
    this.#end(run);
    await wait(pacing.VERDICT_MS + (this.running ? pacing.AFTER_STEP_MS : 0));
  }

  /** @param {Run} run */
  #show(run) {
    this.#steps.begin(run);
    this.#end(run);
  }

  /** @param {Run} run */
  #end(run) {
    this.#steps.end(run);
    this.#stand();
  }

  /** The address is that of what is shown now. */
  #stand() {
    const { seed, steps, log } = this.state.session;
    const { costRatio } = this;
    this.#opening = { seed, costRatio, steps, log: steps ? log : [[0, { ...this.settings }]] };
    this.#changed();
  }

  /** @param {() => Promise<void>} work what a press asks for; until it is done, it waits */
  async #awaited(work) {
    this.waiting += 1;
    this.#changed();
    await this.#guarded(work);
    this.waiting -= 1;
    this.#changed();
  }

  /** @param {() => Promise<void>} work a failure is shown, never silent */
  async #guarded(work) {
    this.error = "";
    try {
      await work();
    } catch (error) {
      this.running = false;
      // While Python is down or on its way back, its own note says so.
      if (python.status.status === "live") this.error = describe(error);
    }
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
