// Stands where the worker that runs Python stands (docs/widgets/worker.js), and for Comlink
// between it and the page. Its playground is a model of docs/scenes/playground.py: every
// token depends on the seed, on the code in force and on all settings so far, so that no wrong
// replay goes unseen. The code of speculative.py, which makes the steps, is '{"salt": 5}', or
// '{"salt": 5, "failsAt": 9}': at that step. Of any file it may be '{"endless": true}', which is
// never taken in, or '{"refused": "why"}'.

export const LATENCY_MS = 10; // half of it on the way there, half on the way back

const MAX_STEPS = 2000;
const STEPS_FILE = "speculative.py";
const FILES = [STEPS_FILE, "sampling.py"];

export class FakeWorker {
  /** @type {FakeWorker} the one that was started last */
  static newest;
  /** Whether workers come up by themselves. */
  static healthy = true;
  /** A text that takes for ever from now on. */
  static unwilling = "";

  terminated = false;
  isUp = false;
  texts = new Map(); // in force, by file
  tried = []; // all texts that it was given
  scenes = new Map();
  remote = {
    boot: (_onProgress, onOutput) => {
      this.onOutput = onOutput;
      return this.booted.promise;
    },
    call: (user, scene, action, payload) => this.#call(user, scene, action, payload),
    release: (user) => this.scenes.delete(`${user} playground`),
    prepareFor: async () => {},
    ping: () => this.#pong(),
    useCode: (file, code) => this.#useCode(file, code),
  };

  constructor() {
    FakeWorker.newest = this;
    this.booted = Promise.withResolvers();
    if (FakeWorker.healthy) later(() => this.comeUp());
  }

  comeUp() {
    this.isUp = true;
    this.booted.resolve();
  }

  failToBoot() {
    this.booted.reject(new Error("numpy.whl is corrupt"));
  }

  die() {
    this.onerror?.({ preventDefault() {} });
  }

  /** Ends as a browser ends a worker: without a word. */
  vanish() {
    this.terminated = true;
  }

  /** The next call is the last: it brings the interpreter down. */
  crashNext() {
    this.crash = "unreachable";
  }

  /** The next call comes to this. */
  failNext(problem) {
    this.problem = problem;
  }

  terminate() {
    this.terminated = true;
  }

  /** What code prints comes at once, even from a worker that goes on though it was ended. */
  print(text) {
    this.onOutput({ text, figures: [] });
  }

  #pong() {
    return new Promise((resolve) => later(() => this.terminated || resolve()));
  }

  #useCode(file, code) {
    const { endless = false, refused } = JSON.parse(code) ?? {};
    if (!this.isUp) return Promise.reject(new Error("Python is not up"));
    this.tried.push(code);
    return new Promise((resolve) => {
      later(() => {
        if (this.terminated || endless || code === FakeWorker.unwilling) return;
        if (refused) return resolve({ problem: { message: refused, line: 3, file } });
        this.texts.set(file, code);
        resolve({ value: null });
      });
    });
  }

  /** Who asks a worker that has been terminated never hears of it again. */
  #call(user, scene, action, payload) {
    const name = `${user} ${scene}`;
    return new Promise((resolve, reject) => {
      later(() => {
        if (this.terminated) return;
        if (this.crash) return resolve({ crash: this.crash });
        if (this.problem) {
          resolve({ problem: this.problem });
          this.problem = undefined;
          return;
        }
        if (!this.scenes.has(name)) this.scenes.set(name, new MODELS[scene](this.texts));
        try {
          const answer = this.scenes.get(name)[action](payload, this.texts.get(STEPS_FILE));
          later(() => this.terminated || resolve({ value: answer }));
        } catch (error) {
          const { problem } = error;
          later(() => this.terminated || (problem ? resolve({ problem }) : reject(error)));
        }
      });
    });
  }
}

/** @param {() => void} work */
const later = (work) => setTimeout(work, LATENCY_MS / 2);

export const wrap = (/** @type {FakeWorker} */ worker) => worker.remote;
export const proxy = (/** @type {unknown} */ callback) => callback;

export class ModelPlayground {
  open({ seed, cost_ratio }, code = null) {
    this.code = code === null ? { salt: 0 } : JSON.parse(code);
    Object.assign(this, { seed, log: [], steps: 0, tokens: 0, drafted: 0, random: seed + 1 });
    return { frames: [], state: this.#state(cost_ratio) };
  }

  advance({ quality, gamma, count, cost_ratio, lines }) {
    if (!this.log) throw new Error("AttributeError: 'Playground' object has no attribute 'log'");
    if (!(Number.isInteger(gamma) && gamma >= 1 && gamma <= 8)) throw new Error(`gamma ${gamma}`);
    if (!(quality >= 0 && quality <= 1)) throw new Error(`quality ${quality}`);
    if (!(count >= 0)) throw new Error(`count ${count}`);
    const frames = [];
    for (let left = Math.min(count, MAX_STEPS - this.steps); left > 0; left -= 1) {
      frames.push(this.#step({ quality, gamma }));
    }
    if (lines && frames.length) frames.at(-1).lines = linesOf(frames.at(-1));
    return { frames, state: this.#state(cost_ratio) };
  }

  #step(settings) {
    const used = this.log.at(-1)?.[1];
    if (used?.quality !== settings.quality || used.gamma !== settings.gamma) {
      this.log.push([this.steps, settings]);
    }
    if (this.steps + 1 === this.code.failsAt) {
      throw Object.assign(new Error(), { problem: { message: "KeyError: 3", line: 70, file: STEPS_FILE } });
    }
    this.random =
      (this.random * 48271 + this.code.salt + Math.round(settings.quality * 100) * 31 + settings.gamma) % 2147483647;
    const tokens = 1 + (this.random % (settings.gamma + 1));
    this.steps += 1;
    this.tokens += tokens;
    this.drafted += settings.gamma;
    const settings_changed = this.steps - this.log.at(-1)[0] === 1;
    const pace = { tokens, settings_changed, mean: this.tokens / this.steps, predicted: 1 };
    const cells = Array.from({ length: settings.gamma + 1 }, (_, i) => ({
      token: (this.random + i) % 2147483647,
    }));
    return { step: this.steps, ...settings, cells, pace };
  }

  #state(costRatio) {
    const speedup = this.tokens / (this.steps + costRatio * this.drafted);
    return {
      session: { seed: this.seed, steps: this.steps, log: [...this.log] },
      finished: this.steps === MAX_STEPS,
      window: { steps: this.steps - (this.log.at(-1)?.[0] ?? 0) },
      run: { steps: this.steps, tokens_emitted: this.tokens, costRatio, speedup },
    };
  }
}

/** Of docs/scenes/running_code.py: a hash is the text itself, and enumeration takes three calls. */
class ModelRunningCode {
  constructor(texts) {
    this.texts = texts;
  }

  source({ file }) {
    if (!FILES.includes(file)) throw new Error(`ValueError: specdec has no file '${file}'`);
    return { sha256: `${file} ${this.texts.get(file) ?? "as published"}`, changed_lines: [] };
  }

  certify({ first }) {
    this.calls = first ? 1 : this.calls + 1;
    return { done: this.calls === 3, certificate: { state: "exact", reason: "", findings: [] } };
  }
}

const MODELS = { playground: ModelPlayground, running_code: ModelRunningCode };

/** A line a guess, drawn by a call of its own; one that checks arguments; one that ends it all. */
function linesOf({ step, cells }) {
  const shown = (guesses, own) => ({ guesses, checked: own ? guesses : 0, own });
  const drafting = cells.slice(1).map((_, i) => ({
    line: 3, call: 0, changed: { i: `${i}` }, shown: shown(i, false),
    draws: [{ method: "choice", uniform: `0.${step}${i}` }],
  }));
  return {
    calls: ["_steps", "_rows"],
    lines: [
      { line: 2, call: 0, changed: { step: `${step}` }, shown: shown(0, false) },
      ...drafting,
      { line: 9, call: 1, shown: shown(drafting.length, false) },
      { line: 4, call: 0, returned: "Step", shown: shown(drafting.length, true) },
    ],
    complete: true,
    argument_checks: ["_rows"],
  };
}

/** What a session comes to: its steps' frames and where it stands then. */
export function outcome({ seed, costRatio, steps, log }, code = null) {
  const playground = new ModelPlayground();
  let { state } = playground.open({ seed, cost_ratio: costRatio }, code);
  const frames = [];
  for (const [i, [start, settings]] of log.entries()) {
    const count = (log[i + 1]?.[0] ?? steps) - start;
    const run = playground.advance({ ...settings, count, cost_ratio: costRatio });
    frames.push(...run.frames);
    state = run.state;
  }
  return { frames, state };
}

/** What the build embeds in the page. */
export function firstFrame() {
  const defaults = { seed: 81, quality: 0.85, gamma: 4, cost_ratio: 0.05 };
  const { seed, quality, gamma, cost_ratio: costRatio } = defaults;
  const log = [[0, { quality, gamma }]];
  return {
    ...outcome({ seed, costRatio, steps: 6, log }),
    blank: outcome({ seed, costRatio, steps: 0, log }).state,
    defaults,
    max_steps: MAX_STEPS,
    max_gamma: 8,
    max_seed: 999_999,
    first_run_steps: 6,
    certificate: { state: "exact", reason: "", findings: [] },
  };
}
