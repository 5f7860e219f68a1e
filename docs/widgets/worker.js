// Python's side of the page: boots Pyodide in a module worker and calls scenes by name.

import { expose } from "comlink";
import { startPython } from "./python_start.js";
import { ReaderOutput } from "./reader_output.js";
import { installPackagesFor } from "./reader_packages.js";
import { withholdCaches } from "./withheld_caches.js";

/**
 * @typedef {import("./types").CodeOutput} CodeOutput
 * @typedef {import("./types").Manifest} Manifest
 * @typedef {import("./types").Progress} Progress
 */

/** @type {import("pyodide").PyodideInterface | undefined} not before it is up, nor after a crash */
let pyodide;
/** @type {ReaderOutput} */
let output;
/** @type {(code: string, onProgress: (progress: Progress) => void) => Promise<void>} */
let installFor;
/** @type {import("./memory_snapshot.js").Events} */
let memory;
/** @type {Map<number, {scene: any, actions: string[], heard: boolean}>} the scenes in use, by their users' ids */
const scenes = new Map();

/** Who hears how far the start is, and how far that was. */
const start = {
  report: (/** @type {Progress} */ _progress) => {},
  progress: /** @type {Progress | null} */ (null),
};

withholdCaches();

// A worker is made to start Python; whoever made it may ask for it later.
const manifest = /** @type {{specdecManifest: Manifest}} */ (
  /** @type {unknown} */ (globalThis) // put there by site_hooks/versioned_paths.py
).specdecManifest;
const starting = startPython(manifest, (progress) => {
  start.progress = progress;
  start.report(progress);
});
starting.catch(() => {}); // told to whoever asks

const python = {
  /**
   * @param {(progress: Progress) => void} onProgress
   * @param {(output: CodeOutput) => void} onOutput what a reader's code prints and draws
   */
  async boot(onProgress, onOutput) {
    start.report = onProgress;
    if (start.progress) onProgress(start.progress);
    const { python: started, events, notInstalled } = await starting;
    memory = events;
    output = new ReaderOutput(started, onOutput);
    const onDemand = manifest.files.filter((file) => file.role === "on-demand");
    installFor = (code, report) =>
      installPackagesFor(started, code, { bytecode: notInstalled, onDemand }, report);
    pyodide = started;
  },

  /**
   * @param {number} user each has a scene of its own
   * @param {string} name a scene, never code
   * @param {string} action one of the scene's ACTIONS
   * @param {Record<string, unknown>} payload its keyword arguments
   */
  call(user, name, action, payload) {
    const python = running();
    const { scene, actions, heard } = sceneOf(python, user, name);
    if (!actions.includes(action)) throw new Error(`${name} has no action ${action}`);
    // As JSON, so that the browser, the build and the tests compare the same thing.
    const json = python.pyimport("json");
    const keywords = Object.entries(payload).map(([keyword, value]) => [
      keyword,
      json.loads(JSON.stringify(value)),
    ]);
    output.begin(heard);
    try {
      return problemsTold(python, () => {
        const result = scene[action].callKwargs(Object.fromEntries(keywords));
        const text = json.dumps.callKwargs(result, { allow_nan: false });
        result?.destroy?.();
        memory.answered();
        return JSON.parse(text);
      });
    } finally {
      if (pyodide) {
        output.end();
        for (const [, given] of keywords) given?.destroy?.();
      }
    }
  },

  /**
   * Brings what a reader's code imports, before it runs and its time counts.
   *
   * @param {string} code
   * @param {(progress: Progress) => void} onProgress
   */
  prepareFor(code, onProgress) {
    memory.readersCode();
    return installFor(code, onProgress);
  },

  /**
   * Runs a reader's text in place of a file of specdec, the only Python that is not ours.
   *
   * @param {string} file
   * @param {string | null} code null: the file itself again
   */
  useCode(file, code) {
    const python = running();
    memory.readersCode();
    output.begin(true);
    try {
      return problemsTold(python, () => {
        const edition = python.pyimport("specdec.edition");
        edition.use(file, code ?? undefined).destroy(); // undefined is None
      });
    } finally {
      if (pyodide) output.end();
    }
  },

  /** @param {number} user its scene is not needed any more */
  release(user) {
    scenes.get(user)?.scene.destroy();
    scenes.delete(user);
  },

  /** An answer is all that is asked for: the worker lives. */
  ping() {},
};

function running() {
  if (!pyodide) throw new Error("Python is not up");
  return pyodide;
}

/**
 * What is a reader's own mistake is an answer (`problem`), not a failure; so is the end of
 * the interpreter (`crash`), after which nothing can be asked of it.
 *
 * @param {import("pyodide").PyodideInterface} python
 * @param {() => any} work
 */
function problemsTold(python, work) {
  try {
    return { value: work() };
  } catch (thrown) {
    const error = /** @type {any} */ (thrown);
    if (error?.pyodide_fatal_error) {
      pyodide = undefined;
      return { crash: String(error.message) };
    }
    if (error?.type !== "CodeProblem") throw error;
    const sys = python.pyimport("sys");
    const { message, line, file } = sys.last_exc;
    sys.last_exc = undefined; // it holds on to everything its frames know
    return { problem: { message, line: line ?? null, file: file ?? null } };
  }
}

/**
 * @param {import("pyodide").PyodideInterface} python
 * @param {number} user
 * @param {string} name
 */
function sceneOf(python, user, name) {
  let known = scenes.get(user);
  if (!known) {
    const module = python.pyimport(name);
    memory.imported();
    const scene = module.SCENE();
    known = { scene, actions: scene.ACTIONS.toJs(), heard: Boolean(scene.HEARD) };
    scenes.set(user, known);
  }
  return known;
}

expose(python);
