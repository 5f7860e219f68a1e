// The runtime's files that this browser keeps, by address: for the next visit, and offline.
// The worker fills the cache with what it has checked; the service worker answers from it.

const RUNTIME_CACHE = "specdec-runtime";
export const KEEP_AFTER_MS = 2000; // from Python's start: the reader's first steps come first

// Taken before a reader's code may run, which is to find no caches (withheld_caches.js).
const openCache = globalThis.caches?.open.bind(globalThis.caches);

/** @type {Promise<Cache> | undefined} */
let opening;

/** @returns {Promise<Cache>} rejects where the browser has none, or refuses it */
function open() {
  opening ??= openCache?.(RUNTIME_CACHE);
  opening?.catch(() => {
    opening = undefined; // tried again
  });
  return opening ?? Promise.reject(new Error("this browser keeps no files")); // plain http
}

/**
 * @param {string} url
 * @returns {Promise<Response | undefined>} what was kept: to be checked like what the network gives
 */
export async function recall(url) {
  try {
    return await (await open()).match(url);
  } catch {
    return undefined;
  }
}

/**
 * @param {string} url
 * @param {BodyInit} content
 * @param {string} type its Content-Type
 * @returns {Promise<boolean>} whether it is kept: there may be no room, or no permission
 */
export async function keep(url, content, type) {
  try {
    await (await open()).put(url, new Response(content, { headers: { "Content-Type": type } }));
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {string} name of a file of the runtime
 * @returns {string} the Content-Type without which a browser does not run it
 */
export function contentType(name) {
  if (name.endsWith(".mjs")) return "text/javascript";
  return name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
}

/** @param {string} url what was kept there is of no use */
export async function forget(url) {
  try {
    await (await open()).delete(url);
  } catch {
    // then there was nothing
  }
}

/** @param {string[]} urls all that this build needs; older builds' files go */
export async function sweep(urls) {
  try {
    const cache = await open();
    for (const { url } of await cache.keys()) if (!urls.includes(url)) await cache.delete(url);
  } catch {
    // then there was nothing
  }
}
