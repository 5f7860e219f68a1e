// docs/widgets/stall_watch.js: a download that stands still is given up, any other is not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { STALL_MS, unlessItStalls } from "../../docs/widgets/stall_watch.js";

const downloading = { stage: "downloading", loadedBytes: 0, totalBytes: 9, waitingFor: ["a.whl"] };
const starting = { ...downloading, stage: "starting", waitingFor: [] };

/** A download that the test moves on by hand. */
function watched(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { promise, resolve, reject } = Promise.withResolvers();
  const reports = [];
  let onProgress;
  const result = unlessItStalls((report) => {
    onProgress = report;
    return promise;
  }, (progress) => reports.push(progress));
  const wait = (ms) => t.mock.timers.tick(ms);
  return { result, resolve, reject, reports, wait, progress: (step) => onProgress(step) };
}

test("bytes that come in time, and a start however long, are waited for", async (t) => {
  const { result, resolve, reports, wait, progress } = watched(t);
  for (const step of [downloading, downloading, starting]) {
    progress(step);
    wait(STALL_MS - 1);
  }
  wait(60 * STALL_MS);
  resolve("there");
  assert.equal(await result, "there");
  assert.deepEqual(reports, [downloading, downloading, starting]);
});

test("when no byte comes, the files that are waited for are named", async (t) => {
  const { result, wait, progress } = watched(t);
  progress(downloading);
  wait(STALL_MS);
  await assert.rejects(result, { message: "a.whl: no data for 8 s" });
});

test("a failure is passed on", async (t) => {
  const { result, reject } = watched(t);
  reject(new Error("the server said 404"));
  await assert.rejects(result, { message: "the server said 404" });
});
