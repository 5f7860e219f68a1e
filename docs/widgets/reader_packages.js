// In the worker: what a reader's code imports and Python started without. It comes from our own
// site, as pinned, when code first asks for it: packages, and the rest of the standard library.

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
 * @param {RuntimeFile[]} onDemand all there are
 * @param {(progress: Progress) => void} onProgress called only if something is fetched
 */
export async function installPackagesFor(python, code, onDemand, onProgress) {
  const imports = importsOf(python, code);
  const wheels = wheelsFor(python, imports);
  const needed = new Set(wheels);
  const library = python.pyimport("whole_library");
  if (wheels.size || library.is_missed_by(code)) needed.add(STDLIB);
  const files = onDemand.filter(({ name }) => needed.has(name) && !installed.has(name));
  if (files.length) await install(python, files, onProgress);
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
 * @param {RuntimeFile[]} files
 * @param {(progress: Progress) => void} onProgress
 */
async function install(python, files, onProgress) {
  const contents = await fetchChecked(files, onProgress, {
    checked(file, content, kept) {
      if (!kept) keepFile(file, content);
    },
  });
  onProgress(startingWith(files));
  for (const [name, content] of contents) {
    if (name === STDLIB) {
      python.FS.writeFile(WHOLE, content);
      python.pyimport("whole_library").mount(WHOLE);
    } else {
      python.unpackArchive(content, "wheel");
    }
    installed.add(name);
  }
  python.pyimport("importlib").invalidate_caches();
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
