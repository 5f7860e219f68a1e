// A download that stands still is given up, and so is a start that does not end: a browser by
// itself would wait for ever.

/** @typedef {import("./types").Progress} Progress */

export const STALL_MS = 8000;
export const START_MS = 60000; // compiling and starting, which report no progress

/**
 * @template Result
 * @param {(onProgress: (progress: Progress) => void) => Promise<Result>} work
 * @param {(progress: Progress) => void} report
 * @param {string} [beforeAll] what has to arrive before there is any progress
 * @returns {Promise<Result>} rejects when no byte has come for a while
 */
export async function unlessItStalls(work, report, beforeAll) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let watchdog;
  let ended = false;
  try {
    return await new Promise((resolve, reject) => {
      const watch = (/** @type {number} */ ms, /** @type {string} */ problem) => {
        clearTimeout(watchdog);
        watchdog = setTimeout(() => reject(new Error(problem)), ms);
      };
      const onProgress = (/** @type {Progress} */ progress) => {
        if (ended) return; // one file has failed, the others still come
        const { stage, waitingFor } = progress;
        if (stage === "starting") watch(START_MS, `the start did not end within ${START_MS / 1000} s`);
        else watch(STALL_MS, `${waitingFor.join(", ")}: no data for ${STALL_MS / 1000} s`);
        report(progress);
      };
      if (beforeAll) watch(STALL_MS, `${beforeAll} did not arrive`);
      work(onProgress).then(resolve, reject);
    });
  } finally {
    ended = true;
    clearTimeout(watchdog);
  }
}
