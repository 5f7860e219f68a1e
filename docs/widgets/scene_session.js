// A session of a scene: what the reader asked for, and what is asked of Python for it. All that is
// shown is a function of its seed and its log of settings. It draws nothing; it says "change".

import { CommandedSession } from "./commanded_session.js";
import { Examination } from "./examination.js";
import { Pause, SPEED_NAMES, SPEEDS } from "./pacing.js";
import { python } from "./python.js";
import { defaultSettings, formatSceneAddress, sameSettings } from "./scene_address.js";
import { SceneOfSession } from "./scene_of_session.js";
import { clamp } from "./session_address.js";

/**
 * @typedef {import("./scene_types").SceneFrame} SceneFrame
 * @typedef {import("./scene_types").SceneLog} SceneLog
 * @typedef {import("./scene_types").SceneSettings} SceneSettings
 * @typedef {import("./scene_types").SceneState} SceneState
 * @typedef {import("./scene_types").ShownSession} ShownSession
 */

const STEP_MS = 560;
const GLANCE_MS = 40;

/**
 * @extends {CommandedSession<SceneLog & {settings: SceneSettings},
 *   {state: SceneState, settings: SceneSettings},
 *   {settings: SceneSettings, count: number}, SceneState>}
 * @implements {ShownSession}
 */
export class SceneSession extends CommandedSession {
  /** @type {import("./pacing.js").Speed} */
  speed = "normal";
  speeds = SPEED_NAMES;
  /** @type {Examination | undefined} if the scene has an `examine` */
  examination;

  #pause = new Pause();
  #refreshing = false; // a picture of the newest settings waits for its turn

  /**
   * @param {string} name docs/scenes/<name>.py
   * @param {SceneFrame} first
   * @param {SceneLog | null} opening the session of the address, if it has one
   */
  constructor(name, first, opening) {
    super(new SceneOfSession(name), {
      opening: () => ({ ...this.session, settings: this.settings }),
      replayed: ({ state, settings }) => this.#show(state, settings),
      hurry: () => this.#pause.hurry(),
      goOn: (isOn) => this.#goOn(isOn),
      isFinished: () => this.state.finished,
    });
    this.first = first;
    this.state = first.state;
    this.stale = opening !== null;
    /** Whether the state is of another session: that of an address has not been replayed. */
    this.unknown = opening !== null;
    this.session = opening ?? first.state.session;
    this.seed = this.session.seed;
    const last = this.session.log.at(-1);
    this.settings = last ? { ...last[1] } : defaultSettings(first.controls);
    if (first.examined !== undefined) {
      this.examination = new Examination(name, opening ? null : [first.examined, this.settings]);
      this.examination.addEventListener("change", () => this.changed());
    }
  }

  /** What the address has to carry for all that is on the screen, settings not yet run included. */
  get address() {
    const { seed, steps } = this.session;
    const log = [...this.session.log];
    if (!sameSettings(log.at(-1)?.[1], this.settings)) {
      if (log.at(-1)?.[0] === steps) log.pop();
      log.push([steps, this.settings]);
    }
    return formatSceneAddress({ seed, steps, log }, this.first.controls);
  }

  get examined() {
    return this.examination?.found ?? null;
  }

  get examinedIsOld() {
    return !this.examination?.isOf(this.settings);
  }

  /** Nothing of this session goes on after this. */
  close() {
    super.close();
    this.examination?.end();
  }

  /** @param {SceneSettings} change takes effect at the next step; the picture follows at once */
  set(change) {
    if (this.predicting) this.begin();
    this.settings = { ...this.settings, ...change };
    this.stale = true;
    this.changed();
    this.#refresh();
  }

  /** @param {import("./pacing.js").Speed} speed */
  setSpeed(speed) {
    this.speed = speed;
    this.#pause.hurry();
    this.changed();
  }

  async step() {
    this.begin();
    const { run } = this.inPython;
    await this.awaited(() => this.#make(1, () => run === this.inPython.run));
  }

  /** @param {number} seed the run begins anew from this seed, settings stay */
  async reset(seed = this.seed) {
    this.begin();
    await this.awaited(() => this.#restart(seed));
  }

  /**
   * Plays segments without stopping between them, as a prediction asks.
   *
   * @param {{seed: number, segments: {settings: SceneSettings, steps: number}[]}} plan settings:
   *   those that are not the defaults
   * @returns {Promise<SceneState[] | null>} where each segment ended; null if interrupted
   */
  play({ seed, segments }) {
    return this.playSegments(segments, {
      restart: () => this.#restart(seed),
      enter: ({ settings }) => {
        this.settings = { ...defaultSettings(this.first.controls), ...settings };
      },
      make: async (count, _segment, isOn) => {
        await this.#make(count, isOn);
        await this.#pause.wait(GLANCE_MS);
      },
      state: () => this.state,
    });
  }

  /** @param {() => boolean} isOn whether the run is */
  async #goOn(isOn) {
    const { factor, steps } = SPEEDS[this.speed];
    await this.#make(steps, isOn);
    if (isOn()) await this.#pause.wait(factor ? STEP_MS / factor : GLANCE_MS);
  }

  /**
   * @param {number} count steps, under the newest settings
   * @param {() => boolean} isWanted when its turn comes
   */
  #make(count, isWanted) {
    return this.inPython.take(async () => {
      if (!isWanted() || (count > 0 && this.state.finished)) return;
      const { settings } = this;
      const state = await this.inPython.advance({ settings, count });
      if (state) this.#show(state, settings);
    });
  }

  /** The picture under the newest settings: of those that come while Python is busy, the last. */
  async #refresh() {
    if (this.#refreshing || python.status.status !== "live") return;
    this.#refreshing = true;
    await this.guarded(() =>
      this.#make(0, () => {
        this.#refreshing = false;
        return this.stale;
      }),
    );
    this.#refreshing = false;
  }

  /**
   * @param {SceneState} state
   * @param {SceneSettings} settings those it is of
   */
  #show(state, settings) {
    this.state = state;
    this.session = state.session;
    this.stale = settings !== this.settings;
    this.unknown = false;
    this.changed();
    if (this.stale) this.#refresh();
    else this.examination?.ask(() => this.settings);
  }

  /** @param {number} seed */
  async #restart(seed) {
    this.inPython.beginAnew();
    this.seed = clamp(Math.round(seed), 0, this.first.max_seed);
    this.session = { seed: this.seed, steps: 0, log: [] };
    this.stale = true;
    this.changed();
    await this.open();
  }
}
