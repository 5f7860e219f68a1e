// docs/widgets/patience.js: how long a reader's code may be silent.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Patience } from "../../docs/widgets/patience.js";

const LATE_MS = 600; // a reader's code
const OVER_MS = 10_000;
const OUR_LATE_MS = 5000;
const OUR_OVER_MS = 20_000;

globalThis.document = Object.assign(new EventTarget(), { hidden: false });

function show(visible) {
  document.hidden = !visible;
  document.dispatchEvent(new Event("visibilitychange"));
}

/** A Patience whose clock the test moves, and what it has said. */
function watched(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const said = { late: false, over: 0 };
  const may = { runOn: true };
  const patience = new Patience(
    () => may.runOn,
    (late) => Object.assign(said, { late }),
    (over) => Object.assign(said, { over }),
  );
  return { patience, said, may, tick: (ms) => t.mock.timers.tick(ms) };
}

test("an answer that does not come is late at first, then over", (t) => {
  const { patience, said, tick } = watched(t);
  patience.wait(new Promise(() => {}));
  tick(LATE_MS - 1);
  assert.deepEqual(said, { late: false, over: 0 });
  tick(1);
  assert.deepEqual(said, { late: true, over: 0 });
  tick(OVER_MS - LATE_MS);
  assert.equal(said.over, 10);
});

test("each answer that comes gives the others their full time", async (t) => {
  const { patience, said, tick } = watched(t);
  const { promise, resolve } = Promise.withResolvers();
  const first = patience.wait(promise);
  patience.wait(new Promise(() => {}));
  tick(OVER_MS - 1);
  resolve("there");
  assert.equal(await first, "there");
  assert.equal(said.late, false);
  tick(OVER_MS - 1);
  assert.equal(said.over, 0);
  tick(1);
  assert.notEqual(said.over, 0);
});

test("our own code has more time, and not without end", (t) => {
  const { patience, said, may, tick } = watched(t);
  may.runOn = false;
  patience.wait(new Promise(() => {}));
  tick(OUR_LATE_MS - 1);
  assert.deepEqual(said, { late: false, over: 0 });
  tick(1);
  assert.deepEqual(said, { late: true, over: 0 });
  tick(OUR_OVER_MS - OUR_LATE_MS);
  assert.equal(said.over, 20);
});

test("time does not count while nobody can see the page", (t) => {
  const { patience, said, tick } = watched(t);
  patience.wait(new Promise(() => {}));
  tick(OVER_MS - 1);
  show(false);
  tick(10 * OVER_MS);
  assert.deepEqual(said, { late: false, over: 0 });
  show(true);
  tick(OVER_MS - 1);
  assert.deepEqual(said, { late: true, over: 0 });
  tick(1);
  assert.equal(said.over, 10);
});

test("time does not count in a pause, neither for who waits nor for who comes", (t) => {
  const { patience, said, tick } = watched(t);
  patience.wait(new Promise(() => {}));
  tick(OVER_MS - 1);
  patience.pause(true);
  patience.wait(new Promise(() => {}));
  tick(10 * OVER_MS);
  assert.deepEqual(said, { late: false, over: 0 });
  patience.pause(false);
  tick(OVER_MS - 1);
  assert.deepEqual(said, { late: true, over: 0 });
  tick(1);
  assert.notEqual(said.over, 0);
});
