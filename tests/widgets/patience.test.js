// docs/widgets/patience.js: how long a reader's code may be silent.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Patience } from "../../docs/widgets/patience.js";

const BUSY_MS = 600;
const ANSWER_MS = 10_000;

/** A Patience whose clock the test moves, and what it has said. */
function watched(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const said = { busy: false, over: "" };
  const may = { runOn: true };
  const patience = new Patience(
    () => may.runOn,
    (busy) => Object.assign(said, { busy }),
    (over) => Object.assign(said, { over }),
  );
  return { patience, said, may, tick: (ms) => t.mock.timers.tick(ms) };
}

test("an answer that does not come is busy at first, then over", (t) => {
  const { patience, said, tick } = watched(t);
  patience.wait(new Promise(() => {}));
  tick(BUSY_MS - 1);
  assert.deepEqual(said, { busy: false, over: "" });
  tick(1);
  assert.deepEqual(said, { busy: true, over: "" });
  tick(ANSWER_MS - BUSY_MS);
  assert.match(said.over, /within 10 seconds/);
});

test("each answer that comes gives the others their full time", async (t) => {
  const { patience, said, tick } = watched(t);
  const { promise, resolve } = Promise.withResolvers();
  const first = patience.wait(promise);
  patience.wait(new Promise(() => {}));
  tick(ANSWER_MS - 1);
  resolve("there");
  assert.equal(await first, "there");
  assert.equal(said.busy, false);
  tick(ANSWER_MS - 1);
  assert.equal(said.over, "");
  tick(1);
  assert.notEqual(said.over, "");
});

test("our own code may take its time", (t) => {
  const { patience, said, may, tick } = watched(t);
  may.runOn = false;
  patience.wait(new Promise(() => {}));
  tick(10 * ANSWER_MS);
  assert.deepEqual(said, { busy: false, over: "" });
});

test("time does not count in a pause, neither for who waits nor for who comes", (t) => {
  const { patience, said, tick } = watched(t);
  patience.wait(new Promise(() => {}));
  tick(ANSWER_MS - 1);
  patience.pause(true);
  patience.wait(new Promise(() => {}));
  tick(10 * ANSWER_MS);
  assert.deepEqual(said, { busy: false, over: "" });
  patience.pause(false);
  tick(ANSWER_MS - 1);
  assert.deepEqual(said, { busy: true, over: "" });
  tick(1);
  assert.notEqual(said.over, "");
});
