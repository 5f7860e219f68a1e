// The playground's session when Python is late or does not start, and in a play.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { pass, reader } from "./browser_stand_in.js";
import { FakeWorker, LATENCY_MS } from "./fake_worker.js";
import { beginAnew, open, PLAN, PLAYED, python, showsItsAddress } from "./playground.js";

const SOON_MS = 100; // a few answers of Python
const LONG_MS = 700; // a step and its animation, also a start of Python before it

beforeEach(async () => {
  beginAnew();
  await pass(SOON_MS);
  reader.wantsStillness = true;
});

/** A session that Python knows. */
async function opened(address = "") {
  const session = open(address);
  await pass(LONG_MS);
  return session;
}

/** It shows what its address says, before and after one more step. */
async function standsWherePythonDoes(session) {
  session.pause();
  await pass(SOON_MS);
  showsItsAddress(session);
  const { steps } = session.state.session;
  session.step();
  await pass(LONG_MS);
  assert.equal(session.state.session.steps, steps + 1);
  showsItsAddress(session);
}

const stepsOf = (session) => session.state.session.steps;

for (const presses of [1, 2, 9]) {
  test(`${presses} presses of Step before Python is up make ${presses} steps`, async () => {
    beginAnew({ healthy: false });
    const session = open();
    for (let i = 0; i < presses; i += 1) session.step();
    await pass(SOON_MS);
    assert.equal(session.waiting, presses);
    assert.equal(stepsOf(session), 6);
    FakeWorker.newest.comeUp();
    await pass(SOON_MS + presses * SOON_MS);
    assert.equal(stepsOf(session), 6 + presses);
    showsItsAddress(session);
  });
}

test("Retry obeys what was asked of a Python that did not start", async () => {
  beginAnew({ healthy: false });
  const session = open("?seed=5&quality=0.2&gamma=3&steps=4");
  session.setCostRatio(0.3);
  session.run();
  FakeWorker.newest.failToBoot();
  await pass(SOON_MS);
  assert.equal(python.status.status, "failed");
  assert.deepEqual([session.running, session.waiting, session.error], [false, 0, ""]);

  FakeWorker.healthy = true;
  python.retry();
  await pass(LONG_MS);
  assert(session.running && stepsOf(session) > 4);
  assert.equal(session.state.run.costRatio, 0.3);
  await standsWherePythonDoes(session);
});

test("a Run that a failed start left over is forgotten after Pause", async () => {
  beginAnew({ healthy: false });
  const session = open();
  session.run();
  FakeWorker.newest.failToBoot();
  await pass(SOON_MS);
  session.pause();
  FakeWorker.healthy = true;
  python.retry();
  await pass(LONG_MS);
  assert.deepEqual([session.running, stepsOf(session)], [false, 6]);
  showsItsAddress(session);
});

test("who waits for a slow start that is given up gets the next one", async () => {
  beginAnew({ healthy: false });
  const session = open();
  session.step();
  const slow = FakeWorker.newest;
  await pass(SOON_MS);
  FakeWorker.healthy = true;
  python.retry();
  await pass(LONG_MS);
  assert(slow.terminated);
  assert.equal(stepsOf(session), 7);
  await standsWherePythonDoes(session);
});

test("a command after a failed start tries again by itself", async () => {
  beginAnew({ healthy: false });
  const session = open();
  FakeWorker.newest.failToBoot();
  await pass(SOON_MS);
  FakeWorker.healthy = true;
  session.step();
  await pass(LONG_MS);
  assert.equal(stepsOf(session), 7);
  showsItsAddress(session);
});

test("a closed session is released and asks for nothing more", async () => {
  const session = await opened("?steps=300");
  assert.equal(FakeWorker.newest.scenes.size, 1);
  session.run();
  await pass(LATENCY_MS);
  session.close();
  await pass(LONG_MS);
  assert.equal(FakeWorker.newest.scenes.size, 0);
});

test("a play gives where each segment ended, with the plan's cost ratio", async () => {
  const session = await opened();
  session.setCostRatio(0.9);
  const play = session.play(PLAN);
  await pass(LONG_MS);
  assert.deepEqual(await play, PLAYED);
  assert.equal(session.costRatio, PLAN.cost_ratio);
  await standsWherePythonDoes(session);
});

for (const [what, interrupt] of Object.entries({
  "Run": (session) => session.run(),
  "Step": (session) => session.step(),
  "Pause": (session) => session.pause(),
  "a slider": (session) => session.set({ gamma: 8 }),
  "the cost ratio": (session) => session.setCostRatio(0.2),
  "leaving the page": (session) => session.close(),
})) {
  test(`a play that ${what} interrupts gives null`, async () => {
    for (const moment of [0, LATENCY_MS / 2, 2 * LATENCY_MS, 4 * LATENCY_MS, 8 * LATENCY_MS]) {
      const session = await opened();
      const play = session.play(PLAN);
      await pass(moment);
      interrupt(session);
      await pass(LONG_MS);
      assert.equal(await play, null);
      session.close();
    }
  });
}

test("a play without Python fails, and leaves the session usable", async () => {
  beginAnew({ healthy: false });
  const session = open();
  const play = session.play(PLAN);
  FakeWorker.newest.failToBoot();
  await assert.rejects(play, /numpy\.whl is corrupt/);
  assert.equal(session.running, false);
  FakeWorker.healthy = true;
  python.retry();
  await pass(LONG_MS);
  await standsWherePythonDoes(session);
});

test("a run ends by itself at the last step, and Step then does nothing", async () => {
  const session = open("?steps=1985");
  await pass(LONG_MS);
  session.setSpeed("max");
  session.run();
  await pass(LONG_MS);
  assert.deepEqual([session.running, stepsOf(session)], [false, 2000]);
  session.step();
  await pass(SOON_MS);
  assert.equal(stepsOf(session), 2000);
  showsItsAddress(session);
});
