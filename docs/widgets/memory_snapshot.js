// Python's memory as it is when Python has just started, kept by this browser for its next
// start. Pyodide has no public way to do it (_makeSnapshot and _loadSnapshot are private and
// bound to one build of it): whatever fails here fails silently, and Python starts as usual.

import { packed, unpacked } from "./memory_pages.js";
import { forget, keep, recall } from "./runtime_cache.js";

/** @typedef {import("pyodide").PyodideInterface} Pyodide */

const RESTORED = "specdec: memory restored"; // for whoever looks into the browser's timeline
const ROOM_BYTES = 500_000_000; // where there is less, other things need it more

// Modules without binary parts that NumPy and the scenes are about to import.
const MODULES = ["ctypes", "datetime", "fractions", "hashlib", "numbers", "pickle", "platform", "secrets"];

/**
 * @param {string} folder of this very runtime
 * @returns {string[]} what is kept there: the memory, and the note that it is being tried
 */
export function snapshotAddresses(folder) {
  const browser = encodeURIComponent(navigator.userAgent); // the memory knows what this one can
  return [`${folder}memory-snapshot?${browser}`, `${folder}memory-snapshot-tried?${browser}`];
}

/**
 * @typedef {object} Kept
 * @property {ArrayBuffer | null} memory of an earlier start
 * @property {boolean} room for one, if there is none
 */

/**
 * Looks for a memory; it takes as long as some of the files do.
 *
 * @param {string} folder
 * @returns {Promise<Kept>}
 */
export async function lookForMemory(folder) {
  const [address, tried] = snapshotAddresses(folder);
  const [memory, failedBefore, room] = await Promise.all([recall(address), recall(tried), hasRoom()]);
  const damaged = (/** @type {unknown} */ _error) => null;
  const whole = !failedBefore && (await memory?.arrayBuffer().then(unpacked).catch(damaged));
  if (whole) return { memory: whole, room };
  if (memory) await Promise.all([forget(address), forget(tried)]);
  return { memory: null, room };
}

/**
 * @template Started
 * @param {Kept} kept
 * @param {string} folder
 * @param {(options: object) => Promise<Started>} start with these options of loadPyodide
 * @returns {Promise<{python: Started, restored: boolean}>}
 */
export async function startFromMemory({ memory, room }, folder, start) {
  const [address, tried] = snapshotAddresses(folder);
  if (memory) {
    try {
      await keep(tried, "", "text/plain"); // stays if this start never ends
      const python = await start({ _loadSnapshot: memory });
      forget(tried);
      performance.mark(RESTORED);
      return { python, restored: true };
    } catch {
      await Promise.all([forget(address), forget(tried)]); // the usual way, then
    }
  }
  return { python: await start({ _makeSnapshot: room }), restored: false };
}

/**
 * Takes the memory of a Python that has just started, before anything binary is in it.
 *
 * @param {Pyodide} python
 * @param {string} folder
 * @returns {() => Promise<unknown>} writes it, when there is time
 */
export function takeSnapshot(python, folder) {
  try {
    for (const name of MODULES) python.pyimport(name).destroy();
    const snapshot = /** @type {any} */ (python).makeMemorySnapshot();
    const [address] = snapshotAddresses(folder);
    return async () => keep(address, packed(snapshot), "application/octet-stream");
  } catch {
    return async () => {};
  }
}

/**
 * What is restored would draw the same numbers at every visit.
 *
 * @param {Pyodide} python
 */
export function reseed(python) {
  python.pyimport("random").seed();
}

async function hasRoom() {
  try {
    const { quota = 0, usage = 0 } = await navigator.storage.estimate();
    return quota - usage > ROOM_BYTES;
  } catch {
    return false;
  }
}
