// Python's binary modules, linked before Python starts rather than at their import. So they lie at
// the same places, in memory and among the functions, at every start: a memory kept of an earlier
// one knows these places.

/** @typedef {import("./types").PyodideModule} PyodideModule */

/**
 * @param {PyodideModule} module about to run Python
 * @param {{path: string, content: Uint8Array<ArrayBuffer>}[]} files where Python will look for them
 */
export function linkAhead(module, files) {
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
