// docs/widgets/scene_address.js: what is written is read back, and nothing read can harm.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  defaultSettings,
  formatSceneAddress,
  parseSceneAddress,
} from "../../docs/widgets/scene_address.js";

const controls = [
  { kind: "slider", name: "heat", default: 0.8, least: 0, most: 2, step: 0.05 },
  { kind: "slider", name: "width", default: 3, least: 1, most: 8, step: 1 },
  { kind: "choice", name: "order", default: "b.c", options: [["a:1,2", "A"], ["b.c", "B"]] },
  { kind: "switch", name: "wired", default: true },
];
const first = {
  controls,
  max_seed: 999,
  max_steps: 50,
  state: { session: { seed: 5, steps: 7, log: [] } },
};
const start = defaultSettings(controls);

test("a session that is written into an address is read back as it was", () => {
  for (const heat of [0, 0.05, 0.15, 1.15, 2]) {
    for (const order of ["a:1,2", "b.c"]) {
      for (const wired of [true, false]) {
        const log = [
          [0, { ...start, heat }],
          [4, { ...start, heat, wired }],
          [9, { ...start, order, wired, width: 8 }],
        ];
        const session = { seed: 12, steps: 9, log };
        const address = formatSceneAddress(session, controls);
        if (order === "b.c") assert.deepEqual(parseSceneAddress(address, first), session, address);
        else assert.doesNotThrow(() => parseSceneAddress(address, first)); // no id holds a comma
      }
    }
  }
});

test("an address that says nothing of a session gives none", () => {
  assert.equal(parseSceneAddress("", first), null);
  assert.equal(parseSceneAddress("?q=heat", first), null);
});

test("what an address leaves out is as in the first run", () => {
  const session = parseSceneAddress("?heat=1.5", first);
  assert.deepEqual(session, { seed: 5, steps: 7, log: [[0, { ...start, heat: 1.5 }]] });
});

test("numbers are clamped and put on the grid of their field", () => {
  const { seed, steps, log } = parseSceneAddress("?seed=-3&steps=1e9&heat=9&width=2.6", first);
  assert.deepEqual([seed, steps], [0, first.max_steps]);
  assert.deepEqual(log, [[0, { ...start, heat: 2, width: 3 }]]);
});

test("what makes no sense is left out", () => {
  for (const search of [
    "?heat=&width=x&order=z&wired=maybe&steps=7",
    "?moves=x,::,-1:heat:1,8:heat:1,0:heat:1&steps=7", // before the start, after the end
    "?moves=3&moves=4:heat:1&steps=2",
    "?heat=NaN&heat=1",
    "?steps=Infinity&seed=%00",
    "?__proto__=1&constructor=2&seed=5",
  ]) {
    const session = parseSceneAddress(search, first);
    assert.deepEqual(session.log, [[0, start]], search);
  }
});

test("a move that names no control still counts as one, and changes nothing", () => {
  const { log } = parseSceneAddress("?moves=3:nothing:2:heat:1,3:heat:2,2:heat:2&steps=7", first);
  assert.deepEqual(log, [[0, start], [3, { ...start, heat: 1 }]]);
});
