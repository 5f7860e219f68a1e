// docs/widgets/running_code.js: what Python says of each file's code in force.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { pass } from "./browser_stand_in.js";
import { FakeWorker, LATENCY_MS } from "./fake_worker.js";
import { beginAnew, codeInUse, otherCode } from "./playground.js";

const { runningCode } = await import("../../docs/widgets/running_code.js");

const LONG_MS = 1000;
const EDITED = '{"salt": 5}';

async function restoreAll() {
  beginAnew();
  codeInUse.restore();
  otherCode.restore();
  await pass(LONG_MS);
}

beforeEach(restoreAll);

test("who asks when Python is up hears at once, and speculative.py alone is certified", async () => {
  const [steps, other] = [runningCode("speculative.py"), runningCode("sampling.py")];
  assert.deepEqual([steps.sha256, other.sha256], ["", ""]);
  await pass(LONG_MS);
  assert.equal(steps.sha256, "speculative.py as published");
  assert.equal(other.sha256, "sampling.py as published");
  assert.deepEqual([steps.certificate?.state, other.certificate], ["exact", null]);
  assert.equal(runningCode("sampling.py"), other);
});

test("a new text makes the answers of its own file anew, and no others", async () => {
  const [steps, other] = [runningCode("speculative.py"), runningCode("sampling.py")];
  const { certificate } = steps;
  otherCode.apply(EDITED);
  await pass(LONG_MS);
  assert.equal(other.sha256, `sampling.py ${EDITED}`);
  assert.equal(steps.certificate, certificate);
  codeInUse.apply(EDITED);
  await pass(LONG_MS);
  assert.equal(steps.sha256, `speculative.py ${EDITED}`);
  assert.notEqual(steps.certificate, certificate);
  assert.equal(other.sha256, `sampling.py ${EDITED}`);
});

test("code that changes while it is enumerated is enumerated from the start", async () => {
  const steps = runningCode("speculative.py");
  codeInUse.apply(EDITED);
  await pass(60); // its certificate has begun
  assert.deepEqual([steps.sha256, steps.certificate], [`speculative.py ${EDITED}`, null]);
  otherCode.apply(EDITED);
  await pass(LONG_MS);
  assert.equal(steps.certificate.state, "exact");
});

test("a loss at any moment leaves no question without its answer", async () => {
  const [steps, other] = [runningCode("speculative.py"), runningCode("sampling.py")];
  for (let moment = LATENCY_MS / 2; moment <= 20 * LATENCY_MS; moment += LATENCY_MS / 2) {
    await restoreAll();
    codeInUse.apply(EDITED);
    otherCode.apply(EDITED);
    await pass(moment);
    FakeWorker.newest.die();
    await pass(LONG_MS);
    assert.equal(steps.sha256, `speculative.py ${EDITED}`);
    assert.equal(steps.certificate?.state, "exact");
    assert.equal(other.sha256, `sampling.py ${EDITED}`);
  }
});

test("what Python cannot say is told", async () => {
  const unknown = runningCode("no_such.py");
  await pass(LONG_MS);
  assert.deepEqual([unknown.sha256, unknown.failure], [
    "", "ValueError: specdec has no file 'no_such.py'"]);
});
