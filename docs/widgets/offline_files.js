// What a lab without a network needs: the service worker's copy of the pages, and every file of
// Python that comes when it is wanted, each as the build pinned it.

import { recall } from "./runtime_cache.js";
import { addressOf, fetchChecked, fetchManifest, keepFile, sumOfBytes } from "./runtime_files.js";
import { siteCopy } from "./site_copy.js";
import { unlessItStalls } from "./stall_watch.js";
import { BUILD } from "./this_build.js";

/**
 * @typedef {import("./types").Progress} Progress
 * @typedef {import("./types").RuntimeFile} RuntimeFile
 */

/** @returns {Promise<RuntimeFile[]>} those outside the service worker's copy of this build */
async function pythonsFiles() {
  const { files } = await fetchManifest();
  // The memory spares time at a first visit: with all the others here nothing needs it.
  return files.filter((file) => file.role !== "memory" && !addressOf(file).startsWith(BUILD));
}

/** @returns {Promise<{totalBytes: number, keptBytes: number, pages: boolean}>} bytes: of Python */
export async function whatIsKept() {
  const files = await pythonsFiles();
  const kept = await Promise.all(files.map(async (file) => Boolean(await recall(addressOf(file)))));
  return {
    totalBytes: sumOfBytes(files),
    keptBytes: sumOfBytes(files.filter((_, i) => kept[i])),
    pages: await siteCopy.isThere(),
  };
}

/**
 * Fetches what is not kept yet, and checks all of it.
 *
 * @param {(progress: Progress) => void} onProgress
 * @throws {Error} in words for the reader; what came stays, so that it can be tried again
 */
export async function keepEverything(onProgress) {
  await siteCopy.keep();
  navigator.storage.persist?.().catch(() => {}); // asked for: kept even when room gets short
  /** @type {Promise<boolean>[]} */
  const keeping = [];
  const files = await pythonsFiles();
  const watch = {
    checked(/** @type {RuntimeFile} */ file, /** @type {BufferSource} */ content, /** @type {boolean} */ kept) {
      if (!kept) keeping.push(keepFile(file, content));
    },
  };
  await unlessItStalls((report) => fetchChecked(files, report, watch), onProgress);
  if ((await Promise.all(keeping)).includes(false)) {
    throw new Error("there is no room: free some on this device, or in this browser's settings");
  }
}
