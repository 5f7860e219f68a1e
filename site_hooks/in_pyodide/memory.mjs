// Runs in Node, at build time: the memory of a Python that has imported NumPy and what else the lab
// uses, but nothing of the lab, as the page puts it back (docs/widgets/memory_snapshot.js).

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { functionsOf, loadLinked, openedLibraries } from "../../docs/widgets/linked_modules.js";
import { packed } from "../../docs/widgets/memory_pages.js";
import { importAhead, packageFiles, writeFiles } from "../../docs/widgets/python_files.js";

// The same at every build, as far as Python can be; nothing of the machine that builds.
const SAME_HASHES = { HOME: "/home/pyodide", PYTHONHASHSEED: "0" };
const PREPARE = `
import gc, numpy.random, os, random, sys
random.seed(0)
numpy.random.seed(0)
sys.path.remove("")  # Pyodide puts it there at every start
del os.environ["PYTHONHASHSEED"]
del numpy, os, random, sys
gc.collect()
del gc
`;

/**
 * @param {string} core Pyodide's folder
 * @param {{stdlib: string, numpy: string, binaries: string}} archives as boot_archive.py makes them
 * @returns {Promise<Uint8Array>} packed, and compressed
 */
export async function makeMemory(core, archives) {
  const url = (/** @type {string} */ name) => pathToFileURL(join(core, name)).href;
  const { loadPyodide } = await import(url("pyodide.mjs"));
  const library = await unpacked(archives.stdlib);
  const numpy = packageFiles(await unpacked(archives.numpy));
  const binaries = packageFiles(await unpacked(archives.binaries));
  const stdlib = `${archives.stdlib}.zip`;
  await writeFile(stdlib, library);
  const start = async (/** @type {object} */ options, /** @type {(module: any) => Promise<void>} */ onModule) => {
    const importModule = async () => {
      const { default: create } = await import(url("pyodide.asm.mjs"));
      return (/** @type {object} */ settings) =>
        create({ ...settings, thisProgram: "./this.program", arguments: [] });
    };
    const settings = { indexURL: core, stdLibURL: stdlib, env: SAME_HASHES, ...options };
    const python = await loadLinked(loadPyodide, importModule, binaries, settings, onModule);
    writeFiles(python, numpy);
    return python;
  };

  let functions = 0;
  const python = await start({ _makeSnapshot: true }, async (module) => {
    functions = functionsOf(module);
  });
  importAhead(python, library);
  python.runPython(PREPARE);
  const { _module: module, _api: api } = /** @type {any} */ (python);
  if (functions !== functionsOf(module)) throw new Error("what was imported has added functions");
  const hiwire = api.serializeHiwireState(null, () => {});
  const note = { functions, opened: openedLibraries(module), hiwire };
  const memory = module.HEAPU8.slice();

  /** @type {Uint8Array<ArrayBuffer> | undefined} */
  let before;
  await start({ _loadSnapshot: new ArrayBuffer(0) }, async (other) => {
    other.growMemory(memory.length);
    other.API.restoreSnapshot = () => {
      before = other.HEAPU8.slice();
      throw new Error("it need not start");
    };
  }).catch((error) => {
    if (!before) throw error;
  });
  return gzipSync(await packed(memory, note, before).arrayBuffer(), { level: 9 });
}

/** @param {string} path of an archive */
const unpacked = async (path) => new Uint8Array(gunzipSync(await readFile(path)));
