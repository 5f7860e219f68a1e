// Where Python looks for what the build packed, how it gets there, and what of it a memory is to
// have imported: a start from memory goes without these files.

import { storedFiles } from "./stored_zip.js";

/**
 * @typedef {import("pyodide").PyodideInterface} Pyodide
 * @typedef {Uint8Array<ArrayBuffer>} Content
 *
 * @typedef {object} PythonFile
 * @property {string} path
 * @property {Content} content
 */

const BYTECODE = /(\/__init__)?\.pyc$/;
export const [BOOT_LIBRARY, NUMPY] = ["python_boot.packed", "numpy.packed"];
export const STDLIB_PATH = "/lib/python314.zip";
const SITE_PACKAGES = "/lib/python3.14/site-packages";

/**
 * @param {Content} archive
 * @returns {PythonFile[]} those of a package
 */
export const packageFiles = (archive) =>
  [...storedFiles(archive)].map(({ name, content }) => ({ path: `${SITE_PACKAGES}/${name}`, content }));

/**
 * @param {Pyodide} python
 * @param {PythonFile[]} files
 */
export function writeFiles({ FS }, files) {
  const made = new Set();
  for (const { path, content } of files) {
    const parent = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(parent)) FS.mkdirTree(parent);
    made.add(parent);
    FS.writeFile(path, content, { canOwn: true }); // a view of the archive: not copied
  }
}

/**
 * @param {Pyodide} python
 * @param {Content} library the modules of the standard library that the lab uses
 */
export function importAhead(python, library) {
  const names = [...storedFiles(library)].map(({ name }) => name).filter((name) => BYTECODE.test(name));
  for (const name of [...names, "numpy/random.pyc"]) {
    python.pyimport(name.replace(BYTECODE, "").replaceAll("/", ".")).destroy();
  }
}
