// docs/widgets/stall_watch.js: a download that stands still is given up, any other is not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { STALL_MS, START_MS, unlessItStalls } from "../../docs/widgets/stall_watch.js";

const downloading = { stage: "downloading", loadedBytes: 0, totalBytes: 9, waitingFor: ["a.whl"] };
const starting = { ...downloading, stage: "starting", waitingFor: [] };

/** A download that the test moves on by hand. */
function watched(t, beforeAll) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { promise, resolve, reject } = Promise.withResolvers();
  const reports = [];
  let onProgress;
  const result = unlessItStalls((report) => {
    onProgress = report;
    return promise;
  }, (progress) => reports.push(progress), beforeAll);
  const wait = (ms) => t.mock.timers.tick(ms);
  return { result, resolve, reject, reports, wait, progress: (step) => onProgress(step) };
}

test("bytes that come in time, and a start of some length, are waited for", async (t) => {
  const { result, resolve, reports, wait, progress } = watched(t);
  for (const step of [downloading, downloading, starting]) {
    progress(step);
    wait(STALL_MS - 1);
  }
  wait(START_MS - STALL_MS);
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

test("a start that does not end is given up", async (t) => {
  const { result, wait, progress } = watched(t);
  progress(starting);
  wait(START_MS);
  await assert.rejects(result, { message: "the start did not end within 60 s" });
});

test("what comes before all progress is waited for as long, if it is named", async (t) => {
  const { result, wait } = watched(t, "worker.js");
  wait(STALL_MS);
  await assert.rejects(result, { message: "worker.js did not arrive" });
});

test("a failure is passed on", async (t) => {
  const { result, reject } = watched(t);
  reject(new Error("the server said 404"));
  await assert.rejects(result, { message: "the server said 404" });
});

test("of the files that still come after a failure nothing is reported", async (t) => {
  const { result, reject, reports, progress } = watched(t);
  progress(downloading);
  reject(new Error("b.whl is damaged"));
  await assert.rejects(result);
  progress({ ...downloading, loadedBytes: 5 });
  assert.deepEqual(reports, [downloading]);
});
