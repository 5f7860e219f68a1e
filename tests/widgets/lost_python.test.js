// The playground's session when the worker that runs Python is lost: another takes over, and
// everything goes on from where it was.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { pass, reader, show } from "./browser_stand_in.js";
import { FakeWorker, LATENCY_MS } from "./fake_worker.js";
import {
  beginAnew, codeInUse, open, otherCode, PLAN, PLAYED, python, showsItsAddress,
} from "./playground.js";

const SOON_MS = 100; // a few answers of Python
const LONG_MS = 700; // a step and its animation, also a start of Python before it
const SILENT_MS = 20_000; // no answer for so long: it is lost
const PING_MS = 5000;
const LATELY_MS = 60_000;
const READERS_MS = 10_000; // a reader's code may be silent for so long
const EDITED = '{"salt": 5}';
const OTHER = '{"salt": 6}';

beforeEach(async () => {
  beginAnew();
  codeInUse.restore();
  otherCode.restore();
  reader.wantsStillness = true;
  await pass(SOON_MS);
});

/** A session that Python knows. */
async function opened(address = "") {
  const session = open(address);
  await pass(LONG_MS);
  return session;
}

/** It shows what its address says, before and after one more step. */
async function standsWherePythonDoes(session, code = null) {
  session.pause();
  await pass(SOON_MS);
  showsItsAddress(session, code);
  const { steps } = session.state.session;
  session.step();
  await pass(LONG_MS);
  assert.equal(session.state.session.steps, steps + 1);
  showsItsAddress(session, code);
}

const stepsOf = (session) => session.state.session.steps;

test("a worker that fails while nothing is asked is followed by another at once", async () => {
  const session = await opened("?seed=9&quality=0.5&gamma=2&moves=3:0.9:5&steps=130");
  const { state, pace, frames, address } = session;
  const lost = FakeWorker.newest;
  lost.die();
  assert.deepEqual([python.status.status, python.status.lost], ["booting", "its worker failed"]);
  assert.equal(session.address, address);
  await pass(LONG_MS);
  assert(lost.terminated && FakeWorker.newest !== lost);
  assert.deepEqual([python.status.status, python.status.lost], ["live", "its worker failed"]);
  assert.deepEqual([session.state, session.pace, session.frames], [state, pace, frames]);
  await standsWherePythonDoes(session);
});

for (const [how, loss, noticedMs] of [
  ["fails", (worker) => worker.die(), 0],
  ["sends what cannot be read", (worker) => worker.onmessageerror(), 0],
  ["vanishes", (worker) => worker.vanish(), SILENT_MS],
  ["crashes", (worker) => worker.crashNext(), 0],
]) {
  for (const still of [true, false]) {
    test(`a run goes on when its worker ${how} (${still ? "still" : "animated"})`, async () => {
      reader.wantsStillness = still;
      const session = await opened("?seed=4&quality=0.3&gamma=5&steps=70");
      session.run();
      await pass(LONG_MS);
      loss(FakeWorker.newest);
      await pass(LONG_MS + noticedMs);
      const steps = stepsOf(session);
      await pass(LONG_MS);
      assert(session.running && stepsOf(session) > steps);
      await standsWherePythonDoes(session);
    });
  }
}

const DURING = {
  "a replay": { address: "?steps=300", command: () => {} },
  "a step": { command: (session) => session.step(), steps: 7 },
  "two presses of Step": { command: (session) => [session.step(), session.step()], steps: 8 },
  "a reset": { command: (session) => session.reset(4), steps: 0 },
  "a change of the cost ratio": { command: (session) => session.setCostRatio(0.6), costRatio: 0.6 },
};
for (const [what, { address = "", command, steps, costRatio = 0.05 }] of Object.entries(DURING)) {
  for (const still of [true, false]) {
    test(`a loss at any moment of ${what} is no matter (${still ? "still" : "animated"})`, async () => {
      for (let moment = 0; moment <= 8 * LATENCY_MS; moment += LATENCY_MS / 2) {
        beginAnew();
        reader.wantsStillness = still;
        await pass(SOON_MS);
        const session = address ? open(address) : await opened();
        command(session);
        await pass(moment);
        FakeWorker.newest.die();
        await pass(2 * LONG_MS);
        showsItsAddress(session);
        assert.equal(session.costRatio, costRatio);
        if (steps !== undefined) assert.equal(stepsOf(session), steps);
        await standsWherePythonDoes(session);
      }
    });
  }
}

test("a play is played to its end", async () => {
  for (let moment = 0; moment <= 8 * LATENCY_MS; moment += LATENCY_MS / 2) {
    beginAnew();
    await pass(SOON_MS);
    const session = await opened();
    const play = session.play(PLAN);
    await pass(moment);
    FakeWorker.newest.die();
    await pass(LONG_MS);
    assert.deepEqual(await play, PLAYED);
    await standsWherePythonDoes(session);
  }
});

test("a second loss within a minute is told, and Retry goes on with the run", async () => {
  const session = await opened();
  session.run();
  await pass(SOON_MS);
  FakeWorker.newest.die();
  await pass(LONG_MS);
  FakeWorker.newest.die();
  await pass(SOON_MS);
  const { status, failure, message } = python.status;
  assert.deepEqual([status, failure, message], [
    "failed", "Python stopped twice within a minute", "its worker failed"]);
  assert.deepEqual([session.running, session.error, session.notice], [false, "", ""]);
  const steps = stepsOf(session);
  python.retry();
  await pass(LONG_MS);
  assert(session.running && stepsOf(session) > steps);
  assert.equal(python.status.lost, "");
  await standsWherePythonDoes(session);
});

test("a loss a minute after another is healed like the first", async () => {
  const session = await opened();
  FakeWorker.newest.die();
  await pass(LONG_MS + LATELY_MS);
  assert.equal(python.status.lost, "");
  FakeWorker.newest.die();
  await pass(LONG_MS);
  assert.equal(python.status.status, "live");
  await standsWherePythonDoes(session);
});

test("a start that fails after a loss is told, and Retry goes on with the run", async () => {
  const session = await opened();
  session.run();
  await pass(SOON_MS);
  FakeWorker.healthy = false;
  FakeWorker.newest.die();
  await pass(SOON_MS);
  FakeWorker.newest.failToBoot();
  await pass(SOON_MS);
  assert.deepEqual([python.status.status, python.status.failure], [
    "failed", "Python could not start"]);
  const steps = stepsOf(session);
  FakeWorker.healthy = true;
  python.retry();
  await pass(LONG_MS);
  assert(session.running && stepsOf(session) > steps);
  await standsWherePythonDoes(session);
});

test("a page that comes back finds out that its worker is gone, or that it is there", async () => {
  const session = await opened();
  const { newest } = FakeWorker;
  show(false);
  show(true);
  await pass(PING_MS);
  assert.deepEqual([FakeWorker.newest, python.status.lost], [newest, ""]);
  show(false);
  newest.vanish();
  await pass(PING_MS);
  assert.equal(FakeWorker.newest, newest);
  show(true);
  await pass(PING_MS + SOON_MS);
  assert.equal(python.status.lost, "it did not answer any more");
  await standsWherePythonDoes(session);
});

test("two playgrounds on one Python keep to themselves, also when it is lost", async () => {
  const [one, other] = [await opened("?seed=1"), await opened("?seed=2&gamma=7")];
  one.step();
  other.run();
  await pass(LATENCY_MS);
  one.close();
  FakeWorker.newest.die();
  await pass(LONG_MS);
  await standsWherePythonDoes(other);
});

test("an edit stays in force when the worker is lost from outside", async () => {
  const session = await opened();
  codeInUse.apply(EDITED);
  await pass(LONG_MS);
  FakeWorker.newest.die();
  await pass(LONG_MS);
  assert.deepEqual([codeInUse.text, codeInUse.problem], [EDITED, null]);
  await standsWherePythonDoes(session, EDITED);
});

test("an edit under which the interpreter crashes is put out of force, and told", async () => {
  const session = await opened();
  codeInUse.apply(EDITED);
  await pass(LONG_MS);
  FakeWorker.newest.crashNext();
  session.step();
  await pass(LONG_MS);
  assert.equal(codeInUse.text, null);
  assert.match(codeInUse.problem.message, /brought Python down: its interpreter crashed/);
  assert.equal(codeInUse.problem.text, EDITED);
  await standsWherePythonDoes(session);
});

test("an edit that loses the worker twice is put out of force", async () => {
  const session = await opened();
  codeInUse.apply(EDITED);
  await pass(LONG_MS);
  for (const text of [EDITED, null]) {
    session.step();
    await pass(LATENCY_MS / 2);
    FakeWorker.newest.die();
    await pass(LONG_MS);
    assert.equal(codeInUse.text, text);
  }
  assert.equal(python.status.status, "live");
  await standsWherePythonDoes(session);
});

test("all edited files are put into the next Python", async () => {
  const session = await opened();
  codeInUse.apply(EDITED);
  otherCode.apply(OTHER);
  await pass(LONG_MS);
  FakeWorker.newest.die();
  await pass(LONG_MS);
  assert.deepEqual([...FakeWorker.newest.texts], [
    ["speculative.py", EDITED], ["sampling.py", OTHER]]);
  assert.deepEqual([codeInUse.text, otherCode.text], [EDITED, OTHER]);
  await standsWherePythonDoes(session, EDITED);
  codeInUse.restore();
  await pass(LONG_MS + LATELY_MS);
  FakeWorker.newest.die();
  await pass(LONG_MS);
  assert.deepEqual([...FakeWorker.newest.texts], [["sampling.py", OTHER]]);
  await standsWherePythonDoes(session);
});

test("when Python never answers, all edited files are put out, and each is told", async () => {
  const session = await opened();
  codeInUse.apply(EDITED);
  otherCode.apply(OTHER);
  await pass(LONG_MS);
  FakeWorker.newest.vanish();
  session.step();
  await pass(READERS_MS + LONG_MS);
  for (const [code, text] of [[codeInUse, EDITED], [otherCode, OTHER]]) {
    assert.equal(code.text, null);
    assert.match(code.problem.message, /did not finish within 10 seconds/);
    assert.equal(code.problem.text, text);
    assert(!FakeWorker.newest.tried.includes(text));
  }
  await standsWherePythonDoes(session);
});

test("of two files, the one that cannot be put in again gives way alone", async () => {
  const session = await opened();
  otherCode.apply(OTHER);
  codeInUse.apply(EDITED);
  await pass(LONG_MS);
  FakeWorker.unwilling = OTHER;
  FakeWorker.newest.die();
  await pass(READERS_MS + 2 * LONG_MS);
  FakeWorker.unwilling = "";
  assert.deepEqual([codeInUse.text, otherCode.text], [EDITED, null]);
  assert.deepEqual([codeInUse.problem, otherCode.problem.text], [null, OTHER]);
  assert.equal(FakeWorker.newest.texts.get("speculative.py"), EDITED);
  await standsWherePythonDoes(session, EDITED);
});
