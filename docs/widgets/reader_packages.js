// In the worker: what a reader's code imports and Python started without. It comes from our own
// site, as pinned, when code first asks for it: packages, and the rest of the standard library.
// After a start from memory, before any code: what is not imported yet of the modules in use.

import { BOOT_LIBRARY, NUMPY, packageFiles, STDLIB_PATH, writeFiles } from "./python_files.js";
import { fetchChecked, keepFile, startingWith } from "./runtime_files.js";

/**
 * @typedef {import("pyodide").PyodideInterface} Pyodide
 * @typedef {import("./types").RuntimeFile} RuntimeFile
 * @typedef {import("./types").Progress} Progress
 */

const STDLIB = "python_stdlib.zip"; // all of it; Python started with the modules that the lab uses
const WHOLE = "/lib/python_stdlib.zip";

/** @type {Set<string>} the names of the files installed in this worker */
const installed = new Set();

/**
 * @param {Pyodide} python
 * @param {string} code
 * @param {{bytecode: RuntimeFile[], onDemand: RuntimeFile[]}} files all that Python started without
 * @param {(progress: Progress) => void} onProgress called only if something is fetched
 */
export async function installPackagesFor(python, code, { bytecode, onDemand }, onProgress) {
  await installMissing(python, bytecode, onProgress);
  const imports = importsOf(python, code);
  const wheels = wheelsFor(python, imports);
  const needed = new Set(wheels);
  const library = python.pyimport("whole_library");
  if (wheels.size || library.is_missed_by(code)) needed.add(STDLIB);
  const wanted = onDemand.filter(({ name }) => needed.has(name));
  if (await installMissing(python, wanted, onProgress)) python.pyimport("importlib").invalidate_caches();
  if (wheels.has(python.lockfile.packages.matplotlib.file_name)) startMatplotlib(python);
}

/**
 * @param {Pyodide} python
 * @param {string} code
 * @returns {string[]} the packages and modules it names, without their submodules
 */
function importsOf(python, code) {
  const found = python.pyimport("pyodide.code").find_imports(code);
  const imports = found.toJs();
  found.destroy();
  return imports;
}

/**
 * @param {Pyodide} python
 * @param {string[]} imports
 * @returns {Set<string>} the wheels of these, and of what they depend on
 */
function wheelsFor(python, imports) {
  const { packages } = python.lockfile;
  const names = new Set(
    Object.keys(packages).filter((name) => packages[name].imports.some((module) => imports.includes(module))),
  );
  for (const name of names) {
    for (const dependency of packages[name].depends) names.add(dependency); // visited in its turn
  }
  names.delete("numpy"); // Python started with it
  return new Set([...names].map((name) => packages[name].file_name));
}

/**
 * @param {Pyodide} python
 * @param {RuntimeFile[]} wanted
 * @param {(progress: Progress) => void} onProgress
 * @returns {Promise<boolean>} whether something was missing
 */
async function installMissing(python, wanted, onProgress) {
  const files = wanted.filter(({ name }) => !installed.has(name));
  if (!files.length) return false;
  const contents = await fetchChecked(files, onProgress, {
    checked(file, content, kept) {
      if (!kept) keepFile(file, content);
    },
  });
  onProgress(startingWith(files));
  for (const [name, content] of contents) {
    installerOf(name)(python, content);
    installed.add(name);
  }
  return true;
}

/**
 * @param {string} name of a file
 * @returns {(python: Pyodide, content: Uint8Array<ArrayBuffer>) => void}
 */
function installerOf(name) {
  if (name === BOOT_LIBRARY) {
    return (python, content) => writeFiles(python, [{ path: STDLIB_PATH, content }]);
  }
  if (name === NUMPY) return (python, content) => writeFiles(python, packageFiles(content));
  if (name !== STDLIB) return (python, content) => python.unpackArchive(content, "wheel");
  return (python, content) => {
    python.FS.writeFile(WHOLE, content);
    python.pyimport("whole_library").mount(WHOLE);
  };
}

/**
 * Imports it, which takes seconds: the time that a reader's code may take does not run yet.
 *
 * @param {Pyodide} python
 */
function startMatplotlib(python) {
  python.pyimport("os").environ.set("MPLBACKEND", "module://reader_figures");
  python.pyimport("reader_figures");
}
