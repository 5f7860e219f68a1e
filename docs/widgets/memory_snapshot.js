// Python's memory with NumPy imported, which the build has made, or with the lab's own modules, too,
// kept by this browser for its next start. Pyodide has no public way to do it, and its private way
// (_makeSnapshot, _loadSnapshot) knows nothing of binary modules: these are linked where they lay
// before, then the memory is put back. It is bound to one build of all that. Whatever fails here
// fails silently, and Python starts as usual.

import { functionsOf, openAgain, openedLibraries } from "./linked_modules.js";
import { PackedMemory, packed } from "./memory_pages.js";
import { forget, KEEP_AFTER_MS, keep, recall } from "./runtime_cache.js";

/**
 * @typedef {import("pyodide").PyodideInterface} Pyodide
 * @typedef {import("./types").PyodideModule} PyodideModule
 *
 * @callback Start
 * @param {object} options of loadPyodide
 * @param {(module: PyodideModule) => Promise<void>} onModule waited for, when Pyodide's module is there
 * @returns {Promise<Pyodide>} with all that Python imports from
 */

const RESTORED = "specdec: memory restored"; // for whoever looks into the browser's timeline
const ROOM_BYTES = 500_000_000; // where there is less, other things need it more

/**
 * @param {string} folder of this very build
 * @returns {string[]} what is kept there: the memory, and the note that it is being tried
 */
export function snapshotAddresses(folder) {
  const browser = encodeURIComponent(navigator.userAgent); // the memory knows what this one can
  return [`${folder}memory-snapshot?${browser}`, `${folder}memory-snapshot-tried?${browser}`];
}

/**
 * @param {string} folder
 * @returns {Promise<{kept?: Response, failedBefore: boolean, room: Promise<boolean>}>} kept: of an
 *   earlier start; failedBefore: a start from memory, which is not to be tried again at once
 */
export async function lookForMemory(folder) {
  const room = hasRoom();
  const [kept, failed] = await Promise.all(snapshotAddresses(folder).map(recall));
  if (!failed) return { kept, failedBefore: false, room };
  await forgetMemory(folder);
  return { failedBefore: true, room };
}

/**
 * What has to be known of a Python for its memory's sake.
 *
 * @typedef {object} Events
 * @property {() => void} imported it has imported what it needs, and knows nothing of the page yet
 * @property {() => void} answered it works
 * @property {() => void} readersCode runs from now on
 */

/**
 * @param {{kept?: Response, made?: ArrayBuffer, room: Promise<boolean>}} memory kept by this browser,
 *   or made by the build; room: to keep one
 * @param {string} folder
 * @param {Start} start
 * @param {(python: Pyodide) => void} importAhead what a start from memory has no files of
 * @returns {Promise<{python: Pyodide, events: Events}>}
 */
export async function startFromMemory({ kept, made, room }, folder, start, importAhead) {
  const isToBeTaken = await room;
  let [functions, isRestored] = [0, false];
  /** @type {Pyodide | undefined} */
  let python;
  if (kept || made) {
    try {
      const [, tried] = snapshotAddresses(folder);
      const meanwhile = Promise.all([kept?.arrayBuffer() ?? made, keep(tried, "", "text/plain")]);
      meanwhile.catch(() => {}); // told below
      const options = { _loadSnapshot: new ArrayBuffer(0), _makeSnapshot: isToBeTaken && !kept };
      python = await start(options, async (module) => {
        functions = functionsOf(module);
        const [file] = await meanwhile; // the note stays if this start never comes to an answer
        restoreInto(module, new PackedMemory(/** @type {ArrayBuffer} */ (file)));
      });
      isRestored = true;
      performance.mark(RESTORED, { detail: kept ? "kept" : "made" });
    } catch {
      await forgetMemory(folder); // the usual way, then
    }
  }
  python ??= await start({ _makeSnapshot: isToBeTaken }, async (module) => {
    functions = functionsOf(module);
  });
  const isTaken = isToBeTaken && !(kept && isRestored);
  const taking = () => {
    try {
      if (!isRestored) importAhead(python);
      takeMemory(python, functions, folder);
    } catch {
      // then the next start is as this one
    }
  };
  return { python, events: eventsOf(python, folder, isRestored, isTaken ? taking : () => {}) };
}

/**
 * @param {Pyodide} python
 * @param {string} folder
 * @param {boolean} isRestored
 * @param {() => void} take its memory
 * @returns {Events}
 */
function eventsOf(python, folder, isRestored, take) {
  let [isNew, isUntouched, isTried] = [true, true, isRestored];
  return {
    imported() {
      if (isNew && isUntouched) take();
      isNew = false;
    },
    answered() {
      if (isTried) forget(snapshotAddresses(folder)[1]);
      isTried = false;
    },
    readersCode() {
      // It would draw the same numbers at every visit.
      if (isUntouched && isRestored) {
        for (const name of ["random", "numpy.random"]) python.pyimport(name).seed();
      }
      isUntouched = false;
    },
  };
}

/**
 * @param {PyodideModule} module
 * @param {PackedMemory} memory
 */
function restoreInto(module, memory) {
  const { functions, opened, hiwire } = memory.note;
  module.growMemory(memory.bytes);
  if (functions !== functionsOf(module) || memory.bytes !== module.HEAPU8.length) {
    throw new Error("this module is laid out otherwise");
  }
  module.API.restoreSnapshot = () => {
    memory.unpackInto(module.HEAPU8);
    openAgain(module, opened);
    return hiwire;
  };
}

/**
 * @param {Pyodide} python
 * @param {number} functions there were before it started
 * @param {string} folder
 */
function takeMemory(python, functions, folder) {
  const { _module: module, _api: api } = /** @type {any} */ (python);
  if (functions !== functionsOf(module)) throw new Error("functions that the next start has not");
  const hiwire = api.serializeHiwireState(null, () => {}); // what Python knows of JavaScript
  const note = { functions, opened: openedLibraries(module), hiwire };
  const memory = module.HEAPU8.slice();
  const [address] = snapshotAddresses(folder);
  setTimeout(() => keep(address, packed(memory, note), "application/octet-stream"), KEEP_AFTER_MS);
}

/** @param {string} folder */
async function forgetMemory(folder) {
  await Promise.all(snapshotAddresses(folder).map(forget));
}

async function hasRoom() {
  try {
    const { quota = 0, usage = 0 } = await navigator.storage.estimate();
    return quota - usage > ROOM_BYTES;
  } catch {
    return false;
  }
}
