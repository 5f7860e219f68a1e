// Python's memory with NumPy and the lab's own modules imported, kept by this browser for its next
// start. Pyodide has no public way to do it, and its private way (_makeSnapshot, _loadSnapshot)
// knows nothing of binary modules: these are linked where they lay before, then the memory is put
// back. It is bound to one build of all that. Whatever fails here fails silently, and Python starts
// as usual.

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
 * @returns {Promise<Pyodide>} with all files that Python imports from
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
 * @typedef {object} Kept
 * @property {Response | null} memory of an earlier start
 * @property {boolean} room for one, if there is none
 */

/**
 * @param {string} folder
 * @returns {Promise<Kept>}
 */
export async function lookForMemory(folder) {
  const [address, tried] = snapshotAddresses(folder);
  const [memory, failedBefore, room] = await Promise.all([recall(address), recall(tried), hasRoom()]);
  if (memory && !failedBefore) return { memory, room };
  if (memory) await forgetMemory(folder);
  return { memory: null, room };
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
 * @param {Kept} kept
 * @param {string} folder
 * @param {Start} start
 * @returns {Promise<{python: Pyodide, events: Events}>}
 */
export async function startFromMemory({ memory, room }, folder, start) {
  if (memory) {
    try {
      const [, tried] = snapshotAddresses(folder);
      const meanwhile = Promise.all([memory.arrayBuffer(), keep(tried, "", "text/plain")]);
      meanwhile.catch(() => {}); // told below
      const python = await start({ _loadSnapshot: new ArrayBuffer(0) }, async (module) => {
        const [file] = await meanwhile; // the note stays if this start never comes to an answer
        restoreInto(module, new PackedMemory(file));
      });
      performance.mark(RESTORED);
      return { python, events: eventsOfRestored(python, folder) };
    } catch {
      await forgetMemory(folder); // the usual way, then
    }
  }
  let functions = 0;
  const python = await start({ _makeSnapshot: room }, async (module) => {
    functions = functionsOf(module);
  });
  let toBeTaken = room;
  const imported = () => {
    if (toBeTaken) takeMemory(python, functions, folder);
    toBeTaken = false;
  };
  const readersCode = () => {
    toBeTaken = false;
  };
  return { python, events: { imported, answered() {}, readersCode } };
}

/**
 * @param {Pyodide} python
 * @param {string} folder
 * @returns {Events}
 */
function eventsOfRestored(python, folder) {
  let [isNew, isSeeded] = [true, false];
  return {
    imported() {},
    answered() {
      if (isNew) forget(snapshotAddresses(folder)[1]);
      isNew = false;
    },
    readersCode() {
      if (!isSeeded) for (const name of ["random", "numpy.random"]) python.pyimport(name).seed();
      isSeeded = true; // it would draw the same numbers at every visit
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
  try {
    if (functions !== functionsOf(module)) throw new Error("functions that the next start has not");
    const hiwire = api.serializeHiwireState(null, () => {}); // what Python knows of JavaScript
    const note = { functions, opened: openedLibraries(module), hiwire };
    const memory = module.HEAPU8.slice();
    const [address] = snapshotAddresses(folder);
    setTimeout(() => keep(address, packed(memory, note), "application/octet-stream"), KEEP_AFTER_MS);
  } catch {
    // then the next start is as this one
  }
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
