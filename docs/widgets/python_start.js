// In the worker: starts Pyodide from files already checked, quicker than Pyodide by itself. The
// wasm compiles while it arrives. Python's memory with NumPy imported comes from this browser, else
// from the build. Where neither is to be had Python starts with bytecode: that is fewer bytes, so
// over a slow connection, too, and wherever it is here already.

import { sparesConnection } from "./connection.js";
import { loadLinked } from "./linked_modules.js";
import { lookForMemory, snapshotAddresses, startFromMemory } from "./memory_snapshot.js";
import { BOOT_LIBRARY, importAhead, NUMPY, packageFiles, writeFiles } from "./python_files.js";
import { KEEP_AFTER_MS, recall, sweep } from "./runtime_cache.js";
import { addressOf, fetchChecked, keepFile, startingWith } from "./runtime_files.js";
import { BUILD } from "./this_build.js";

/**
 * @typedef {import("pyodide").PyodideInterface} Pyodide
 * @typedef {import("./types").Manifest} Manifest
 * @typedef {import("./types").Progress} Progress
 * @typedef {import("./types").RuntimeFile} RuntimeFile
 * @typedef {Uint8Array<ArrayBuffer>} Content
 */

const SCENES = "/lab/scenes";
const [WASM, ASM] = ["pyodide.asm.wasm", "pyodide.asm.mjs"];
const [BINARIES, MEMORY] = ["numpy_binaries.packed", "python_memory.packed"];
const MODULE = /\.mjs$/;
const WRAPPER_BYTES = 100; // more than any has

/**
 * @param {Manifest} manifest
 * @param {(progress: Progress) => void} onProgress
 * @returns {Promise<{
 *   python: Pyodide, events: import("./memory_snapshot.js").Events, notInstalled: RuntimeFile[],
 * }>} events: to be told by whoever uses it; notInstalled: what a reader's code may import
 */
export async function startPython(manifest, onProgress) {
  const { files, bytecode, kept, room } = await whatToStartWith(manifest);
  const core = files.find((file) => file.name === "pyodide.mjs");
  if (!core) throw new Error("pyodide.mjs is not in the runtime's manifest");
  const folder = new URL(".", addressOf(core)).href;

  for (const file of files.filter(({ name }) => MODULE.test(name))) {
    import(/* @vite-ignore */ addressOf(file)).catch(() => {}); // parsed while it is checked, used after
  }
  /** @type {Promise<WebAssembly.Module | null>} */
  let compiling = Promise.resolve(null);
  /** @type {(() => Promise<unknown>)[]} */
  const later = [];
  const keepsLater = (/** @type {RuntimeFile} */ file, /** @type {Content} */ content, /** @type {boolean} */ isKept) => {
    if (!isKept && file.role !== "memory") later.push(() => keepFile(file, content));
  };
  const contents = await fetchChecked(files, onProgress, {
    compiles: WASM,
    spares: MEMORY,
    arriving(file, response) {
      // Not run before it is checked. With another type, or cut off, it is compiled afterwards.
      if (file.name === WASM) {
        compiling = WebAssembly.compileStreaming(response.clone()).catch(() => null);
      }
    },
    checked: keepsLater,
  });
  onProgress(startingWith(files));

  const content = (/** @type {string} */ name) => {
    const found = contents.get(name);
    if (!found) throw new Error(`${name} is not in the runtime's manifest`);
    return found;
  };
  const wasm = (await compiling) ?? (await WebAssembly.compile(content(WASM)));
  const { loadPyodide } = await import(/* @vite-ignore */ addressOf(core));
  const binaries = packageFiles(content(BINARIES));
  /** @type {import("./memory_snapshot.js").Start} */
  const start = async (options, onModule) => {
    const isUsual = !("_loadSnapshot" in options);
    const missing = isUsual ? bytecode.filter(({ name }) => !contents.has(name)) : [];
    if (missing.length) {
      for (const [name, found] of await fetchChecked(missing, onProgress, { checked: keepsLater })) {
        contents.set(name, found);
      }
      onProgress(startingWith(missing));
    }
    const answers = {
      [`${folder}${WASM}`]: wasm,
      [`${folder}${BOOT_LIBRARY}`]: isUsual ? content(BOOT_LIBRARY) : new Uint8Array(), // all is imported
    };
    const whole = {
      indexURL: folder,
      stdLibURL: `${folder}${BOOT_LIBRARY}`,
      lockFileContents: new TextDecoder().decode(content("pyodide-lock.json")),
      packageBaseUrl: folder,
      ...options,
    };
    const createModule = async () => (await import(/* @vite-ignore */ `${folder}${ASM}`)).default;
    const python = await withoutNetwork(answers, () =>
      loadLinked(loadPyodide, createModule, binaries, whole, onModule),
    );
    if (isUsual) writeFiles(python, packageFiles(content(NUMPY)));
    writeLab(python, files, content);
    return python;
  };
  const made = contents.get(MEMORY)?.buffer;
  const { python, events } = await startFromMemory({ kept, made, room }, BUILD, start, (usual) =>
    importAhead(usual, content(BOOT_LIBRARY)),
  );
  const { path } = python.pyimport("sys");
  if (!path.includes(SCENES)) path.append(SCENES);
  const notInstalled = contents.has(NUMPY) ? [] : bytecode;
  setTimeout(async () => {
    // What a reader's code may import is here then, too, when there is no network.
    await fetchChecked(notInstalled, () => {}, { checked: keepsLater }).catch(() => {});
    await Promise.allSettled(later.map((write) => write()));
    sweep([...manifest.files.map(addressOf), ...snapshotAddresses(BUILD)]);
  }, KEEP_AFTER_MS);
  return { python, events, notInstalled };
}

/**
 * @param {Manifest} manifest
 * @returns {Promise<{
 *   files: RuntimeFile[], bytecode: RuntimeFile[], kept?: Response, room: Promise<boolean>,
 * }>} files: to be fetched, what takes longest first; kept, room: as in memory_snapshot.js
 */
async function whatToStartWith(manifest) {
  const bytecode = manifest.files.filter(({ role }) => role === "bytecode");
  const { kept, failedBefore, room } = await lookForMemory(BUILD);
  const sparesMemory = failedBefore || sparesConnection() || (!kept && (await areHere(bytecode)));
  const instead = kept ? null : sparesMemory ? "bytecode" : "memory";
  const files = manifest.files
    .filter(({ role }) => ["core", "package", "specdec", "scene", instead].includes(role))
    .sort((one, other) => other.bytes - one.bytes);
  return { files, bytecode, kept, room };
}

/**
 * @param {RuntimeFile[]} files
 * @returns {Promise<boolean>} whether this browser keeps them all
 */
async function areHere(files) {
  const kept = await Promise.all(files.map((file) => recall(addressOf(file))));
  return !kept.includes(undefined);
}

/**
 * @param {Pyodide} python gets the lab's own modules
 * @param {RuntimeFile[]} files
 * @param {(name: string) => Content} content
 */
function writeLab(python, files, content) {
  python.FS.mkdirTree(SCENES);
  for (const { name, role } of files) {
    if (role === "specdec") python.unpackArchive(content(name), "wheel");
    if (role === "scene") python.FS.writeFile(`${SCENES}/${name}`, content(name));
  }
}

/**
 * While Pyodide loads, its own fetches get what is already here. (Its JavaScript is imported
 * by address, after a check of what that address gives.)
 *
 * @template Result
 * @param {Record<string, WebAssembly.Module | Content>} answers by address
 * @param {() => Promise<Result>} work
 */
async function withoutNetwork(answers, work) {
  const { fetch } = self;
  const { instantiateStreaming, Module } = WebAssembly;
  const chromiums = /** @type {{stackTraceLimit?: number}} */ (Error);
  const { stackTraceLimit } = chromiums;
  chromiums.stackTraceLimit = 0; // each stack would have pyodide.asm.mjs parsed again, all of it
  /** @type {WebAssembly.Module | undefined} */
  let module;
  self.fetch = async (input, init) => {
    const answer = answers[input instanceof Request ? input.url : String(input)];
    if (!answer) return fetch(input, init);
    if (!(answer instanceof WebAssembly.Module)) return new Response(answer);
    module = answer;
    return new Response();
  };
  WebAssembly.Module = alikeOnce(Module);
  WebAssembly.instantiateStreaming = async (source, imports) => {
    if (!module) return instantiateStreaming(source, imports);
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
  try {
    return await work();
  } finally {
    self.fetch = fetch;
    chromiums.stackTraceLimit = stackTraceLimit;
    Object.assign(WebAssembly, { instantiateStreaming, Module });
  }
}

/**
 * Pyodide wraps some hundred of its functions in modules that differ by their types alone.
 *
 * @param {typeof WebAssembly.Module} Module
 * @returns {typeof WebAssembly.Module} compiles the same few bytes once
 */
function alikeOnce(Module) {
  /** @type {Map<string, WebAssembly.Module>} */
  const compiled = new Map();
  return new Proxy(Module, {
    construct(_, [bytes]) {
      if (bytes.length > WRAPPER_BYTES) return new Module(bytes);
      const key = String(bytes);
      const module = compiled.get(key) ?? new Module(bytes);
      compiled.set(key, module);
      return module;
    },
  });
}
