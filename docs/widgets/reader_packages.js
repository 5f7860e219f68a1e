// In the worker: the packages that a reader's code imports and that Python started without.
// They come from our own site, as pinned, when code first asks for them.

import { fetchChecked } from "./runtime_files.js";

/**
 * @typedef {import("pyodide").PyodideInterface} Pyodide
 * @typedef {import("./types").RuntimeFile} RuntimeFile
 * @typedef {import("./types").Progress} Progress
 */

/** @type {Set<string>} the names of the files installed in this worker */
const installed = new Set();

/**
 * @param {Pyodide} python
 * @param {string} code
 * @param {RuntimeFile[]} onDemand all there are
 * @param {string} siteRoot
 * @param {(progress: Progress) => void} onProgress called only if something is fetched
 */
export async function installPackagesFor(python, code, onDemand, siteRoot, onProgress) {
  const wheels = wheelsFor(python, code);
  const files = onDemand.filter(({ name }) => wheels.has(name) && !installed.has(name));
  if (files.length) await install(python, files, siteRoot, onProgress);
  if (wheels.has(python.lockfile.packages.matplotlib.file_name)) startMatplotlib(python);
}

/**
 * @param {Pyodide} python
 * @param {string} code
 * @returns {Set<string>} the wheels of what it imports, and of what these depend on
 */
function wheelsFor(python, code) {
  const { packages } = python.lockfile;
  const found = python.pyimport("pyodide.code").find_imports(code);
  const imports = new Set(found.toJs());
  found.destroy();
  const names = new Set(
    Object.keys(packages).filter((name) => packages[name].imports.some((module) => imports.has(module))),
  );
  for (const name of names) {
    for (const dependency of packages[name].depends) names.add(dependency); // visited in its turn
  }
  return new Set([...names].map((name) => packages[name].file_name));
}

/**
 * @param {Pyodide} python
 * @param {RuntimeFile[]} files
 * @param {string} siteRoot
 * @param {(progress: Progress) => void} onProgress
 */
async function install(python, files, siteRoot, onProgress) {
  const contents = await fetchChecked(files, siteRoot, onProgress);
  const totalBytes = files.reduce((sum, file) => sum + file.bytes, 0);
  onProgress({ stage: "starting", loadedBytes: totalBytes, totalBytes, waitingFor: [] });
  for (const [name, content] of contents) {
    python.unpackArchive(content, "wheel");
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
