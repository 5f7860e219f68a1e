// Pyodide with Python's binary modules linked before Python starts rather than at their import. So
// they lie at the same places, in memory and among the functions, at every start: a memory kept of
// an earlier one, by this browser or by the build, knows these places.

import { writeFiles } from "./python_files.js";

/**
 * @typedef {import("pyodide").PyodideInterface} Pyodide
 * @typedef {import("./python_files.js").PythonFile} PythonFile
 * @typedef {import("./types").PyodideModule} PyodideModule
 */

/**
 * @param {typeof import("pyodide").loadPyodide} loadPyodide
 * @param {() => Promise<(settings: object) => Promise<PyodideModule>>} importModule gives what pyodide.asm.mjs exports
 * @param {PythonFile[]} binaries where Python will look for them
 * @param {object} options of loadPyodide
 * @param {(module: PyodideModule) => Promise<void>} onModule waited for, before Python starts
 * @returns {Promise<Pyodide>}
 */
export async function loadLinked(loadPyodide, importModule, binaries, options, onModule) {
  const python = await loadPyodide({
    ...options,
    // @ts-expect-error: its types know nothing of it
    async createPyodideModule(/** @type {any} */ settings) {
      settings.preRun.push((/** @type {PyodideModule} */ module) => linkAhead(module, binaries));
      const create = await importModule();
      const module = await create(settings);
      await onModule(module);
      return module;
    },
  });
  writeFiles(python, binaries);
  return python;
}

/**
 * @param {PyodideModule} module about to run Python
 * @param {PythonFile[]} files
 */
function linkAhead(module, files) {
  for (const [index, { path, content }] of files.entries()) {
    const library = module.newDSO(path, undefined, "loading");
    library.global = false;
    const flags = { allowUndefined: index < files.length - 1 }; // all symbols are looked through once
    library.exports = module.loadWebAssemblyModule(new WebAssembly.Module(content), flags, path, {});
  }
}

/**
 * @param {PyodideModule} module
 * @returns {[handle: number, path: string][]} what Python has opened, and calls by these numbers
 */
export function openedLibraries({ LDSO }) {
  return Object.entries(LDSO.loadedLibsByHandle)
    .map(([handle, { name }]) => /** @type {[number, string]} */ ([Number(handle), name]))
    .filter(([handle]) => handle !== 0); // Pyodide itself
}

/**
 * @param {PyodideModule} module
 * @param {[handle: number, path: string][]} opened
 */
export function openAgain({ LDSO }, opened) {
  for (const [handle, path] of opened) LDSO.loadedLibsByHandle[handle] = LDSO.loadedLibsByName[path];
}

/**
 * @param {PyodideModule} module
 * @returns {number} how many places for functions are taken
 */
export function functionsOf({ wasmTable, freeTableIndexes }) {
  return wasmTable.length - freeTableIndexes.length;
}
