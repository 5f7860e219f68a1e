// A download that stands still is given up: a browser by itself would wait for ever.

/** @typedef {import("./types").Progress} Progress */

export const STALL_MS = 8000;

/**
 * @template Result
 * @param {(onProgress: (progress: Progress) => void) => Promise<Result>} download
 * @param {(progress: Progress) => void} report
 * @returns {Promise<Result>} rejects when no byte has come for a while
 */
export async function unlessItStalls(download, report) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let watchdog;
  try {
    return await new Promise((resolve, reject) => {
      const onProgress = (/** @type {Progress} */ progress) => {
        clearTimeout(watchdog);
        if (progress.stage === "downloading") {
          const stalled = `${progress.waitingFor.join(", ")}: no data for ${STALL_MS / 1000} s`;
          watchdog = setTimeout(() => reject(new Error(stalled)), STALL_MS);
        }
        report(progress);
      };
      download(onProgress).then(resolve, reject);
    });
  } finally {
    clearTimeout(watchdog);
  }
}
