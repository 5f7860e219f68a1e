// In the worker: starts Pyodide from files already checked, quicker than Pyodide by itself.
// The wasm compiles while it arrives, the standard library and NumPy are bytecode, and from
// the second visit on Python's memory comes from this browser.

import { linkAhead } from "./linked_modules.js";
import { lookForMemory, snapshotAddresses, startFromMemory } from "./memory_snapshot.js";
import { KEEP_AFTER_MS, sweep } from "./runtime_cache.js";
import { addressOf, fetchChecked, keepFile, startingWith } from "./runtime_files.js";
import { storedFiles } from "./stored_zip.js";
import { BUILD } from "./this_build.js";

/**
 * @typedef {import("pyodide").PyodideInterface} Pyodide
 * @typedef {import("./types").Manifest} Manifest
 * @typedef {import("./types").Progress} Progress
 * @typedef {import("./types").PyodideModule} PyodideModule
 * @typedef {Uint8Array<ArrayBuffer>} Content
 */

const SCENES = "/lab/scenes";
const SITE_PACKAGES = "/lib/python3.14/site-packages";
const [WASM, ASM] = ["pyodide.asm.wasm", "pyodide.asm.mjs"];
const STDLIB = "python_boot.packed";
const NUMPY = "numpy.packed";
const [MODULE, BINARY] = [/\.mjs$/, /\.so$/];
const WRAPPER_BYTES = 100; // more than any has

/**
 * @param {Manifest} manifest
 * @param {(progress: Progress) => void} onProgress
 * @returns {ReturnType<typeof startFromMemory>} events: to be told by whoever uses it
 */
export async function startPython(manifest, onProgress) {
  const files = manifest.files
    .filter((file) => file.role !== "on-demand")
    .sort((one, other) => other.bytes - one.bytes); // what takes longest is asked for first
  const core = files.find((file) => file.name === "pyodide.mjs");
  if (!core) throw new Error("pyodide.mjs is not in the runtime's manifest");
  const folder = new URL(".", addressOf(core)).href;

  const looking = lookForMemory(BUILD);
  for (const file of files.filter(({ name }) => MODULE.test(name))) {
    import(/* @vite-ignore */ addressOf(file)).catch(() => {}); // parsed while it is checked, used after
  }
  /** @type {Promise<WebAssembly.Module | null>} */
  let compiling = Promise.resolve(null);
  /** @type {(() => Promise<unknown>)[]} */
  const later = [];
  const contents = await fetchChecked(files, onProgress, {
    compiles: WASM,
    arriving(file, response) {
      // Not run before it is checked. With another type, or cut off, it is compiled afterwards.
      if (file.name === WASM) {
        compiling = WebAssembly.compileStreaming(response.clone()).catch(() => null);
      }
    },
    checked(file, content, kept) {
      if (!kept) later.push(() => keepFile(file, content));
    },
  });
  onProgress(startingWith(files));

  const content = (/** @type {string} */ name) => {
    const found = contents.get(name);
    if (!found) throw new Error(`${name} is not in the runtime's manifest`);
    return found;
  };
  const wasm = (await compiling) ?? (await WebAssembly.compile(content(WASM)));
  const { loadPyodide } = await import(/* @vite-ignore */ addressOf(core));
  const numpy = [...storedFiles(content(NUMPY))].map(({ name, content }) => ({
    path: `${SITE_PACKAGES}/${name}`,
    content,
  }));
  const binaries = numpy.filter(({ path }) => BINARY.test(path));
  /** @type {import("./memory_snapshot.js").Start} */
  const start = async (options, onModule) => {
    const python = await withoutNetwork(
      { [`${folder}${WASM}`]: wasm, [`${folder}${STDLIB}`]: content(STDLIB) },
      () =>
        loadPyodide({
          indexURL: folder,
          stdLibURL: `${folder}${STDLIB}`,
          lockFileContents: new TextDecoder().decode(content("pyodide-lock.json")),
          packageBaseUrl: folder,
          async createPyodideModule(/** @type {any} */ settings) {
            settings.preRun.push((/** @type {PyodideModule} */ module) => linkAhead(module, binaries));
            const { default: create } = await import(/* @vite-ignore */ `${folder}${ASM}`);
            const module = await create(settings);
            await onModule(module);
            return module;
          },
          ...options,
        }),
    );
    writeFiles(python, numpy);
    python.FS.mkdirTree(SCENES);
    for (const { name, role } of files) {
      if (role === "specdec") python.unpackArchive(content(name), "wheel");
      if (role === "scene") python.FS.writeFile(`${SCENES}/${name}`, content(name));
    }
    return python;
  };
  const started = await startFromMemory(await looking, BUILD, start);
  const { path } = started.python.pyimport("sys");
  if (!path.includes(SCENES)) path.append(SCENES);
  setTimeout(async () => {
    await Promise.allSettled(later.map((write) => write()));
    sweep([...manifest.files.map(addressOf), ...snapshotAddresses(BUILD)]);
  }, KEEP_AFTER_MS);
  return started;
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

/**
 * @param {Pyodide} python
 * @param {{path: string, content: Content}[]} files
 */
function writeFiles({ FS }, files) {
  const made = new Set();
  for (const { path, content } of files) {
    const parent = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(parent)) FS.mkdirTree(parent);
    made.add(parent);
    FS.writeFile(path, content, { canOwn: true }); // a view of the zip: not copied
  }
}
