// Fetches the files of the Python runtime, from this browser's cache or the site, and refuses
// any that is not what the build pinned. loadPyodide never settles on a bad wasm, so it is
// called only when all of them are good.

import { sparesConnection } from "./connection.js";
import { contentType, forget, keep, recall } from "./runtime_cache.js";
import { BUILD, SITE_ROOT } from "./this_build.js";

/**
 * @typedef {import("./types").Manifest} Manifest
 * @typedef {import("./types").RuntimeFile} RuntimeFile
 * @typedef {import("./types").Progress} Progress
 *
 * @typedef {object} Watch
 * @property {(file: RuntimeFile, response: Response) => void} [arriving] not checked yet
 * @property {(file: RuntimeFile, content: Uint8Array<ArrayBuffer>, kept: boolean) => void} [checked]
 * @property {string} [compiles] the name of a file that is WebAssembly, compiled as it arrives
 * @property {string} [spares] the name of a file without which it goes on
 */

const REPORT_MS = 50; // a chunk may come every millisecond, and each report is drawn
const HTTP_CACHE_MS = 1000; // later it comes over the network, which what is kept spares

/** Another file than the one that the build pinned. */
class DamagedFile extends Error {}

/** @returns {Promise<Manifest>} that of the build whose file this is; addresses in it are from the site's root */
export async function fetchManifest() {
  const response = await request(`${BUILD}runtime/manifest.json`, "manifest.json");
  try {
    return await response.json();
  } catch {
    throw new Error("manifest.json is damaged: it is not JSON");
  }
}

/** @param {RuntimeFile} file */
export const addressOf = (file) => new URL(file.url, SITE_ROOT).href;

/** @param {RuntimeFile[]} files */
export const sumOfBytes = (files) => files.reduce((sum, { bytes }) => sum + bytes, 0);

/**
 * @param {RuntimeFile[]} files that have all come
 * @returns {Progress}
 */
export function startingWith(files) {
  const totalBytes = sumOfBytes(files);
  return { stage: "starting", loadedBytes: totalBytes, totalBytes, waitingFor: [] };
}

/**
 * @param {RuntimeFile} file
 * @param {BufferSource} content checked, unpacked
 * @returns {Promise<boolean>} whether the browser keeps it for the next time
 */
export const keepFile = (file, content) => keep(addressOf(file), content, contentType(file.name));

/**
 * Fetches all files at once.
 *
 * @param {RuntimeFile[]} files
 * @param {(progress: Progress) => void} onProgress
 * @param {Watch} [watch] hears of each file on its way
 * @returns {Promise<Map<string, Uint8Array<ArrayBuffer>>>} name → checked content, unpacked
 * @throws {Error} names the file, and says why
 */
export async function fetchChecked(files, onProgress, watch = {}) {
  const totalBytes = sumOfBytes(files);
  const loaded = new Map(files.map((file) => [file.name, 0]));
  const waitingFor = new Set(loaded.keys());
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let reporting;
  const report = () => {
    reporting = undefined;
    const loadedBytes = [...loaded.values()].reduce((sum, bytes) => sum + bytes, 0);
    onProgress({ stage: "downloading", loadedBytes, totalBytes, waitingFor: [...waitingFor] });
  };
  const reportSoon = () => {
    reporting ??= setTimeout(report, REPORT_MS);
  };
  report();
  /** @type {Map<string, Uint8Array<ArrayBuffer>>} */
  const contents = new Map();
  try {
    await Promise.all(
      files.map(async (file) => {
        try {
          const { content, kept } = await obtain(file, watch, (bytes) => {
            loaded.set(file.name, bytes);
            reportSoon();
          });
          contents.set(file.name, content);
          watch.checked?.(file, content, kept);
        } catch (error) {
          if (file.name !== watch.spares) throw error;
        }
        waitingFor.delete(file.name);
        reportSoon();
      }),
    );
    return contents;
  } finally {
    clearTimeout(reporting);
  }
}

/**
 * @param {RuntimeFile} file
 * @param {Watch} watch
 * @param {(bytes: number) => void} onBytes how many there are now
 * @returns {Promise<{content: Uint8Array<ArrayBuffer>, kept: boolean}>} unpacked; kept: in the cache
 */
async function obtain(file, watch, onBytes) {
  const url = addressOf(file);
  const kept = await recall(url);
  if (kept) {
    const compiled = watch.compiles === file.name ? await withCompiledCode(file) : undefined;
    for (const here of [compiled, kept]) {
      if (!here) continue;
      try {
        watch.arriving?.(file, here);
        const content = new Uint8Array(await here.arrayBuffer()); // no need to watch it come
        await check(content, file.unpacked ?? file, file.name);
        onBytes(file.bytes);
        return { content, kept: true };
      } catch {
        // another one is good
      }
    }
    await forget(url);
  }
  const fetched = async (/** @type {RequestCache} */ cache) => {
    const response = await request(url, file.name, cache);
    watch.arriving?.(file, response);
    const content = await read(response, file, onBytes);
    await check(content, file, file.name);
    checkType(response, file.name);
    return { content: file.unpacked ? await unpacked(content) : content, kept: false };
  };
  try {
    return await fetched("default");
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    return fetched("reload"); // the browser may have kept it so since an earlier time
  }
}

/**
 * With WebAssembly from its HTTP cache a browser has the code that it compiled of it before;
 * with what we keep it has not. What does not come at once is not in that cache.
 *
 * @param {RuntimeFile} file
 * @returns {Promise<Response | undefined>} its body may break off
 */
async function withCompiledCode(file) {
  if (sparesConnection()) return undefined;
  try {
    const signal = AbortSignal.timeout(HTTP_CACHE_MS);
    const response = await fetch(addressOf(file), { cache: "force-cache", signal });
    return response.ok ? response : undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {string} url
 * @param {string} name
 * @param {RequestCache} cache
 */
async function request(url, name, cache = "default") {
  let response;
  try {
    response = await fetch(url, { cache });
  } catch {
    throw new Error(`${name} could not be fetched: no answer from the server`);
  }
  if (!response.ok) throw new Error(`${name} could not be fetched: the server said ${response.status}`);
  if (typeOf(response).includes("text/html")) {
    throw new Error(`${name} could not be fetched: a web page came in its place`);
  }
  return response;
}

/** @param {Response} response */
const typeOf = (response) => response.headers.get("Content-Type") ?? "";

/**
 * Only of modules the type matters: a browser runs no other. WebAssembly gets its type from us.
 *
 * @param {Response} response
 * @param {string} name
 */
function checkType(response, name) {
  if (!name.endsWith(".mjs") || typeOf(response).includes("javascript")) return;
  throw new Error(`${name} cannot run: the server calls it “${typeOf(response)}”, not JavaScript`);
}

/**
 * @param {Response} response
 * @param {RuntimeFile} file
 * @param {(bytes: number) => void} onBytes
 */
async function read({ body }, file, onBytes) {
  const content = new Uint8Array(file.bytes);
  let length = 0;
  const reader = body?.getReader();
  while (reader) {
    const { done, value } = await reader.read().catch(() => {
      throw new Error(`${file.name} broke off after ${length} of ${file.bytes} bytes`);
    });
    if (done) break;
    if (length + value.length <= file.bytes) content.set(value, length);
    length += value.length;
    onBytes(Math.min(length, file.bytes));
  }
  if (length !== file.bytes) {
    throw new DamagedFile(`${file.name} is damaged: ${length} bytes came, ${file.bytes} were expected`);
  }
  return content;
}

/**
 * @param {Uint8Array<ArrayBuffer>} content
 * @param {{sha256: string}} expected
 * @param {string} name
 */
async function check(content, expected, name) {
  if (!crypto.subtle) return; // only over plain http to another machine, where browsers hide it
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (sha256 !== expected.sha256) {
    throw new DamagedFile(`${name} is damaged: its SHA-256 is ${sha256}, ${expected.sha256} was expected`);
  }
}

/**
 * @param {Uint8Array<ArrayBuffer>} packed by gzip
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function unpacked(packed) {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
