// The playground's session when the code in force is another one, or fails.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { pass, reader } from "./browser_stand_in.js";
import { FakeWorker, LATENCY_MS } from "./fake_worker.js";
import { closeAll, codeInUse, codeOutput, open, otherCode, showsItsAddress } from "./playground.js";

const LONG_MS = 700;
const EDITED = '{"salt": 5}';
const BETTER = '{"salt": 6}';
const FAILS_AT_9 = '{"salt": 5, "failsAt": 9}';

beforeEach(async () => {
  closeAll();
  reader.wantsStillness = true;
  codeInUse.restore();
  otherCode.restore();
  await pass(LONG_MS);
});

async function opened(address = "") {
  const session = open(address);
  await pass(LONG_MS);
  return session;
}

async function apply(text, code = codeInUse) {
  code.apply(text);
  await pass(LONG_MS);
}

const stepsOf = (session) => session.state.session.steps;

test("a session is what its seed and log give under the code that comes into force", async () => {
  const session = await opened("?seed=9&quality=0.5&gamma=2&moves=3:0.9:5&steps=130");
  const { address } = session;
  showsItsAddress(session);
  for (const code of [EDITED, BETTER]) {
    await apply(code);
    showsItsAddress(session, code);
  }
  codeInUse.restore();
  await pass(LONG_MS);
  showsItsAddress(session);
  assert.equal(session.address, address);
});

for (const animated of [false, true]) {
  test(`a run goes on under new code, ${animated ? "animated" : "still"}`, async () => {
    reader.wantsStillness = !animated;
    const session = await opened();
    session.run();
    await pass(LONG_MS);
    await apply(EDITED);
    const steps = stepsOf(session);
    await pass(LONG_MS);
    assert(session.running && stepsOf(session) > steps);
    session.pause();
    await pass(LONG_MS);
    showsItsAddress(session, EDITED);
  });
}

test("code that comes into force at any moment of a step, a reset, a replay is obeyed", async () => {
  for (const command of [(s) => s.step(), (s) => s.reset(4), (s) => s.setCostRatio(0.6)]) {
    for (let moment = 0; moment <= 6 * LATENCY_MS; moment += LATENCY_MS / 2) {
      const session = await opened();
      command(session);
      await pass(moment);
      await apply(moment % LATENCY_MS ? EDITED : BETTER);
      showsItsAddress(session, codeInUse.text);
      session.step();
      await pass(LONG_MS);
      showsItsAddress(session, codeInUse.text);
      session.close();
    }
  }
});

for (const last of [null, BETTER]) {
  const before = last ? "the code before" : "the file";
  test(`a run stops where code fails, and stands there under ${before}`, async () => {
    const session = await opened();
    if (last) await apply(last);
    await apply(FAILS_AT_9);
    session.run();
    await pass(3 * LONG_MS);
    assert.equal(codeInUse.text, last);
    assert.equal(codeInUse.problem.line, 70);
    assert.deepEqual([session.running, stepsOf(session)], [false, 8]);
    showsItsAddress(session, last);
    session.step();
    await pass(LONG_MS);
    assert.equal(stepsOf(session), 9);
    showsItsAddress(session, last);
  });
}

test("code that fails while the session is replayed leaves it where it stood", async () => {
  const session = await opened("?seed=3&quality=0.5&gamma=3&steps=70");
  await apply(FAILS_AT_9);
  assert.deepEqual([codeInUse.text, stepsOf(session)], [null, 70]);
  showsItsAddress(session);
});

/** A session under two edited files. */
async function openedUnderTwo(address = "") {
  const session = await opened(address);
  await apply(EDITED);
  await apply(BETTER, otherCode);
  assert.deepEqual([codeInUse.text, otherCode.text], [EDITED, BETTER]);
  return session;
}

test("two files are edited at once, and each is restored alone", async () => {
  const session = await openedUnderTwo("?steps=30");
  showsItsAddress(session, EDITED);
  otherCode.restore();
  await pass(LONG_MS);
  assert.deepEqual([codeInUse.text, otherCode.text], [EDITED, null]);
  showsItsAddress(session, EDITED);
  await apply(BETTER, otherCode);
  codeInUse.restore();
  await pass(LONG_MS);
  assert.deepEqual([codeInUse.text, otherCode.text], [null, BETTER]);
  showsItsAddress(session);
});

test("a text that is refused leaves every file as it was", async () => {
  const session = await openedUnderTwo("?steps=30");
  await apply('{"refused": "There is no function top_k in it any more"}', otherCode);
  assert.deepEqual([codeInUse.text, otherCode.text], [EDITED, BETTER]);
  assert.deepEqual([codeInUse.problem, otherCode.problem.line], [null, 3]);
  showsItsAddress(session, EDITED);
});

test("a problem of one file leaves the other in force", async () => {
  for (const [faulty, good] of [[otherCode, codeInUse], [codeInUse, otherCode]]) {
    const session = await openedUnderTwo("?steps=30");
    const { text } = good;
    const failed = faulty.text;
    const file = faulty === codeInUse ? "speculative.py" : "sampling.py";
    FakeWorker.newest.failNext({ message: "KeyError: 3", line: 7, file });
    session.step();
    await pass(LONG_MS);
    assert.deepEqual([faulty.text, good.text], [null, text]);
    assert.deepEqual(faulty.problem, { message: "KeyError: 3", line: 7, text: failed });
    assert.equal(good.problem, null);
    session.step();
    await pass(LONG_MS);
    assert.equal(stepsOf(session), 31);
    showsItsAddress(session, codeInUse.text);
    session.close();
  }
});

test("a problem of nobody knows which file puts all of them out", async () => {
  for (const file of [null, "models.py"]) { // the latter is not edited
    const session = await openedUnderTwo();
    FakeWorker.newest.failNext({ message: "KeyError: 3", line: 7, file });
    session.step();
    await pass(LONG_MS);
    for (const [code, text] of [[codeInUse, EDITED], [otherCode, BETTER]]) {
      assert.equal(code.text, null);
      assert.deepEqual(code.problem, { message: "KeyError: 3", line: null, text });
    }
    showsItsAddress(session);
    session.close();
  }
});

test("a text that is never taken in is stopped, and what is in force stays", async () => {
  const session = await openedUnderTwo();
  session.run();
  otherCode.apply('{"endless": true}');
  await pass(LONG_MS);
  otherCode.stop();
  await pass(LONG_MS);
  assert.deepEqual([codeInUse.text, otherCode.text], [EDITED, BETTER]);
  assert.deepEqual(
    [codeInUse.problem, otherCode.problem.message, otherCode.problem.text],
    [null, "You stopped it", '{"endless": true}'],
  );
  session.pause();
  await pass(LONG_MS);
  session.step();
  await pass(LONG_MS);
  showsItsAddress(session, EDITED);
});

test("what code that was stopped prints on is not shown", async () => {
  await openedUnderTwo();
  otherCode.apply('{"endless": true}');
  await pass(LONG_MS);
  const stopped = FakeWorker.newest;
  stopped.print("line 1\n");
  assert.equal(codeOutput.text, "line 1\n");
  otherCode.stop();
  stopped.print("line 2\n");
  await pass(LONG_MS);
  FakeWorker.newest.print("here again\n");
  stopped.print("line 3\n");
  assert.equal(codeOutput.text, "line 1\nhere again\n");
});
