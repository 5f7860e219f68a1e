// The playground's session: what the reader asked for, and what is asked of Python for it.
// It draws nothing; it says "change" and the view (playground.jsx) shows it.

import { CommandedSession } from "./commanded_session.js";
import { LineWalk } from "./line_walk.js";
import { PlaygroundScene } from "./playground_scene.js";
import { clamp, clampCostRatio, formatAddress } from "./session_address.js";
import { StepMaker } from "./step_maker.js";
import { StepPlayer } from "./step_player.js";
import { StepsShown } from "./steps_shown.js";

/**
 * @typedef {import("./types").Settings} Settings
 * @typedef {import("./types").FirstFrame} FirstFrame
 * @typedef {import("./types").State} State
 * @typedef {import("./session_address.js").Opening} Opening
 * @typedef {import("./step_maker.js").Wanted} Wanted
 * @typedef {{frames: import("./types").Frame[], pace: import("./types").Pace[], state: State}}
 *   Replayed
 */

/**
 * @extends {CommandedSession<Opening & Wanted, Replayed, Wanted & {count: number},
 *   import("./types").Run>}
 */
export class PlaygroundSession extends CommandedSession {
  /** @type {import("./token_buttons.jsx").TokenId | null} the token under the glass */
  selected = null;

  #player;
  #maker;
  #standing = false; // a step at whose first line the reader will stand is on its way

  /**
   * @param {FirstFrame} first the run made at build time
   * @param {Opening | null} opening the session of the address, if it has one
   */
  constructor(first, opening) {
    super(new PlaygroundScene(), {
      opening: () => {
        this.steps.end();
        return { ...this.#wanted, ...this.steps.session };
      },
      replayed: (steps) => {
        this.steps.replace(steps);
        this.changed();
      },
      hurry: () => this.#player.stop(),
      begins: () => this.#showLinesIfSlow(),
      goOn: (isOn) => this.#maker.ofRun(isOn),
      isFinished: () => this.state.finished,
    });
    this.first = first;
    const { seed, log } = opening ?? first.state.session;
    this.seed = seed;
    this.costRatio = opening?.costRatio ?? first.defaults.cost_ratio;
    this.settings = { ...log[log.length - 1][1] };
    this.steps = new StepsShown(first.blank, opening ?? first.blank.session);
    if (!opening) this.steps.replace({ ...first, pace: first.frames.map(({ pace }) => pace) });
    this.#player = new StepPlayer(
      this.steps,
      () => this.changed(),
      (at) => this.lineByLine.walkTo(at),
    );
    this.#maker = new StepMaker(this.steps, this.#player, this.inPython, () => this.#wanted);
    this.lineByLine = new LineWalk(this.steps, this.#player, {
      stop: () => this.running ? this.pause() : this.begin(),
      changed: () => this.changed(),
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

  get speed() {
    return this.#player.speed;
  }

  /** What the address has to carry for all that is on the screen, sliders not yet run included. */
  get address() {
    return formatAddress({ ...this.steps.sessionWith(this.settings), costRatio: this.costRatio });
  }

  /** @param {Partial<Settings>} change takes effect at the next step, nothing is reset */
  set(change) {
    if (this.predicting) this.begin();
    this.settings = { ...this.settings, ...change };
    this.changed();
  }

  /** @param {import("./pacing.js").Speed} speed */
  setSpeed(speed) {
    this.#player.setSpeed(speed);
    if (this.running) this.#showLinesIfSlow();
    this.changed();
  }

  /** @param {import("./token_buttons.jsx").TokenId} id a second time lets go of it */
  select(id) {
    const again = this.selected?.step === id.step && this.selected.index === id.index;
    this.selected = again ? null : id;
    this.changed();
  }

  /** @param {number} ratio */
  async setCostRatio(ratio) {
    if (this.predicting) this.begin();
    this.#player.stop(); // whose end the answer is about
    this.costRatio = clampCostRatio(ratio);
    this.changed();
    await this.guarded(async () => {
      await this.open();
      await this.#maker.none();
    });
  }

  async step() {
    const isOn = this.begin();
    this.steps.end();
    await this.awaited(() => this.#maker.one((made) => this.#player.present(made, isOn())));
  }

  /** @param {number} seed the run begins anew from this seed, sliders stay */
  async reset(seed = this.seed) {
    this.begin();
    this.seed = clamp(Math.round(seed), 0, this.first.max_seed);
    await this.awaited(() => this.#restart());
  }

  /**
   * Plays segments without stopping between them, as a prediction asks.
   *
   * @param {{seed: number, cost_ratio: number,
   *   segments: {settings: Settings, steps: number}[]}} plan
   * @returns {Promise<State[] | null>} where each segment ended; null if interrupted
   */
  play({ seed, cost_ratio, segments }) {
    return this.playSegments(segments, {
      restart: () => {
        this.seed = seed;
        this.costRatio = cost_ratio;
        this.settings = { ...segments[0].settings };
        return this.#restart();
      },
      enter: ({ settings }) => {
        this.settings = { ...settings };
      },
      make: (count, { settings }, isOn) => this.#maker.several(count, settings, isOn),
      state: () => this.state,
    });
  }

  async #restart() {
    this.inPython.beginAnew();
    this.selected = null;
    const { blank } = this.first;
    const state = { ...blank, session: { ...blank.session, seed: this.seed } };
    this.steps.replace({ frames: [], pace: [], state });
    this.changed();
    await this.open();
  }

  /** Makes the steps shown anew, for their lines were not asked for when they were made. */
  async #relearn() {
    if (this.running) return; // its next step comes with them
    this.inPython.forget();
    await this.awaited(() => this.open());
  }

  get #wanted() {
    const { settings, costRatio, lineByLine } = this;
    return { settings, costRatio, lines: lineByLine.on };
  }

  /** Makes a step that stands at its first line; one that is on its way will do. */
  async #standAtAStep() {
    if (this.#standing) return;
    this.#standing = true;
    await this.awaited(() =>
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
}
