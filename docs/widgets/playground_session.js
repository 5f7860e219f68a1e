// The playground's session: what the reader asked for, and what is asked of Python for it.
// It draws nothing; it says "change" and the view (playground.jsx) shows it.

import { LineWalk } from "./line_walk.js";
import { PlaygroundScene } from "./playground_scene.js";
import { python } from "./python.js";
import { describe } from "./python_errors.js";
import { clamp, clampCostRatio, formatAddress } from "./session_address.js";
import { SessionInPython } from "./session_in_python.js";
import { StepMaker } from "./step_maker.js";
import { StepPlayer } from "./step_player.js";
import { StepsShown } from "./steps_shown.js";

/**
 * @typedef {import("./types").Settings} Settings
 * @typedef {import("./types").FirstFrame} FirstFrame
 * @typedef {import("./types").State} State
 * @typedef {import("./session_address.js").Opening} Opening
 */

const PLAYED_STEPS = 10; // a picture, while a prediction is being tested

export class PlaygroundSession extends EventTarget {
  running = false;
  /** @type {import("./token_buttons.jsx").TokenId | null} the token under the glass */
  selected = null;
  /** How many presses wait for Python. */
  waiting = 0;
  error = "";

  #player;
  #maker;
  /** @type {import("./step_maker.js").PlaygroundInPython} */
  #inPython = new SessionInPython(new PlaygroundScene(), {
    opening: () => {
      this.steps.end();
      return { ...this.#wanted, ...this.steps.session };
    },
    replayed: (steps) => {
      this.steps.replace(steps);
      this.#changed();
    },
    changed: () => this.#changed(),
  });
  #command = 0; // what the reader pressed last; a loop ends when it is no longer its own
  #runWhenUp = false; // what a Python that failed could not go on with
  #predicting = false;
  #standing = false; // a step at whose first line the reader will stand is on its way

  /**
   * @param {FirstFrame} first the run made at build time
   * @param {Opening | null} opening the session of the address, if it has one
   */
  constructor(first, opening) {
    super();
    this.first = first;
    const { seed, log } = opening ?? first.state.session;
    this.seed = seed;
    this.costRatio = opening?.costRatio ?? first.defaults.cost_ratio;
    this.settings = { ...log[log.length - 1][1] };
    this.steps = new StepsShown(first.blank, opening ?? first.blank.session);
    if (!opening) this.steps.replace({ ...first, pace: first.frames.map(({ pace }) => pace) });
    this.#player = new StepPlayer(
      this.steps,
      () => this.#changed(),
      (at) => this.lineByLine.walkTo(at),
    );
    this.#maker = new StepMaker(this.steps, this.#player, this.#inPython, () => this.#wanted);
    this.lineByLine = new LineWalk(this.steps, this.#player, {
      stop: () => this.running ? this.pause() : this.#begin(),
      changed: () => this.#changed(),
      relearn: () => this.#relearn(),
      makeStep: () => this.#standAtAStep(),
    });
  }

  get frames() {
    return this.steps.frames;
  }

  get pace() {
    return this.steps.pace;
  }

  get state() {
    return this.steps.state;
  }

  get notice() {
    return this.#inPython.notice;
  }

  get speed() {
    return this.#player.speed;
  }

  /** What the address has to carry for all that is on the screen, sliders not yet run included. */
  get address() {
    return formatAddress({ ...this.steps.sessionWith(this.settings), costRatio: this.costRatio });
  }

  /** Resolves when nothing is under way in Python. */
  get settled() {
    return this.#inPython.settled;
  }

  /**
   * Python is brought to where the page stands as soon as it is up, and whenever it is another
   * one; a run asked for in vain before begins then.
   */
  connect() {
    python.addEventListener("change", this.#keepUp);
    this.#keepUp();
  }

  /** Nothing of this session goes on after this. */
  close() {
    this.#begin();
    python.removeEventListener("change", this.#keepUp);
    this.#inPython.end();
  }

  /** @param {Partial<Settings>} change takes effect at the next step, nothing is reset */
  set(change) {
    if (this.#predicting) this.#begin();
    this.settings = { ...this.settings, ...change };
    this.#changed();
  }

  /** @param {import("./pacing.js").Speed} speed */
  setSpeed(speed) {
    this.#player.setSpeed(speed);
    if (this.running) this.#showLinesIfSlow();
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
    if (this.#predicting) this.#begin();
    this.#player.stop(); // whose end the answer is about
    this.costRatio = clampCostRatio(ratio);
    this.#changed();
    await this.#guarded(async () => {
      await this.#open();
      await this.#maker.none();
    });
  }

  async run() {
    const command = this.#begin();
    this.running = true;
    this.#showLinesIfSlow();
    await this.#awaited(async () => {
      await this.#open();
      while (command === this.#command && !this.state.finished && !this.#inPython.ended) {
        await this.#maker.ofRun(() => command === this.#command);
      }
    });
    if (command === this.#command) {
      this.running = false;
      this.#runWhenUp = python.status.status === "failed";
    }
    this.#changed();
  }

  pause() {
    this.#begin();
    this.#changed();
  }

  async step() {
    const command = this.#begin();
    this.steps.end();
    await this.#awaited(() =>
      this.#maker.one((made) => this.#player.present(made, command === this.#command)),
    );
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
    this.#predicting = true;
    /** @type {State[]} */
    const states = [];
    this.error = "";
    try {
      await this.#restart();
      for (const { settings, steps } of segments) {
        if (command === this.#command) this.settings = { ...settings };
        for (let left = steps; left > 0 && command === this.#command; left -= PLAYED_STEPS) {
          const count = Math.min(PLAYED_STEPS, left);
          await this.#maker.several(count, settings, () => command === this.#command);
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
    this.#predicting = false;
    this.#player.stop();
    return this.#command;
  }

  async #open() {
    await python.boot();
    await this.#catchUp();
  }

  async #catchUp() {
    await this.#inPython.take(async () => {}); // which replays what Python does not know
    if (this.#runWhenUp && !this.running) this.run();
  }

  async #restart() {
    this.#inPython.beginAnew();
    this.selected = null;
    const { blank } = this.first;
    const state = { ...blank, session: { ...blank.session, seed: this.seed } };
    this.steps.replace({ frames: [], pace: [], state });
    this.#changed();
    await this.#open();
  }

  /** Makes the steps shown anew, for their lines were not asked for when they were made. */
  async #relearn() {
    if (this.running) return; // its next step comes with them
    this.#inPython.forget();
    await this.#awaited(() => this.#open());
  }

  /** A Python that does not know the session is told of it, also when only its code is new. */
  #keepUp = () => {
    if (python.status.status !== "live" || this.#inPython.upToDate) return;
    this.#player.stop();
    this.#guarded(() => this.#catchUp());
  };

  get #wanted() {
    const { settings, costRatio, lineByLine } = this;
    return { settings, costRatio, lines: lineByLine.on };
  }

  /** Makes a step that stands at its first line; one that is on its way will do. */
  async #standAtAStep() {
    if (this.#standing) return;
    this.#standing = true;
    await this.#awaited(() =>
      this.#maker.one((made) => {
        this.steps.begin(made);
        if (!this.lineByLine.known) this.steps.end(); // code may run no line for a step
      }),
    );
    this.#standing = false;
  }

  /** A run that is slow enough to follow the lines shows them. */
  #showLinesIfSlow() {
    if (this.speed === "slow" && this.#player.animates) this.lineByLine.on = true;
  }

  /** @param {() => Promise<void>} work what a press asks for; until it is done, it waits */
  async #awaited(work) {
    this.waiting += 1;
    this.#changed();
    python.boot().catch(() => {}); // also one that failed: the work hears of it
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
