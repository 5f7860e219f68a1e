// docs/widgets/session_address.js: what is written is read back, and nothing read can harm.

import assert from "node:assert/strict";
import { test } from "node:test";
import { first, formatAddress, parseAddress } from "./playground.js";
import { outcome } from "./fake_worker.js";

const RUNS = 500;

/** The same numbers in every run: a linear congruential generator. */
function random(seed) {
  let state = seed + 1;
  const below = (/** @type {number} */ bound) => {
    state = (state * 48271) % 2147483647;
    return state % bound;
  };
  return { below, oneOf: (choices) => choices[below(choices.length)] };
}

function randomSession({ below }) {
  const settings = () => ({ quality: below(101) / 100, gamma: 1 + below(first.max_gamma) });
  const steps = below(first.max_steps + 1);
  const moves = Array.from({ length: below(6) }, () => 1 + below(first.max_steps));
  const at = [...new Set(moves)].filter((step) => step <= steps).sort((a, b) => a - b);
  return {
    seed: below(first.max_seed + 1),
    costRatio: below(101) / 100,
    steps,
    log: [[0, settings()], ...at.map((step) => [step, settings()])],
  };
}

test("a session that is written into an address is read back as it was", () => {
  const generator = random(1);
  for (let run = 0; run < RUNS; run += 1) {
    const session = randomSession(generator);
    assert.deepEqual(parseAddress(formatAddress(session), first), session);
  }
});

test("an address that says nothing about a session is none", () => {
  for (const search of ["", "?", "?q=beam", "?Seed=4", "?seeds=4&stepsize=2"]) {
    assert.equal(parseAddress(search, first), null);
  }
});

test("the short form takes the rest from the defaults", () => {
  assert.deepEqual(parseAddress("?quality=.6&gamma=6&seed=7", first), {
    seed: 7, costRatio: 0.05, steps: first.first_run_steps, log: [[0, { quality: 0.6, gamma: 6 }]],
  });
});

test("numbers out of range are clamped", () => {
  const high = "?seed=1e9&quality=7&gamma=99&steps=1e6&cost=50&moves=9:9:99";
  assert.deepEqual(parseAddress(high, first), {
    seed: first.max_seed, costRatio: 1, steps: first.max_steps,
    log: [[0, { quality: 1, gamma: 8 }], [9, { quality: 1, gamma: 8 }]],
  });
  const low = "?seed=-3&quality=-.5&gamma=0&steps=-1&cost=-2&moves=0:0:1";
  assert.deepEqual(parseAddress(low, first), {
    seed: 0, costRatio: 0, steps: 0, log: [[0, { quality: 0, gamma: 1 }]],
  });
});

const NAMES = [
  "seed", "quality", "gamma", "moves", "steps", "cost",
  "__proto__", "constructor", "hasOwnProperty", "seed[]", "moves[0]", "seed.__proto__",
];
const NASTY = [
  "", " ", "NaN", "Infinity", "-Infinity", "1e400", "-1e400", "-0", "0x1F", "1e-9", ".5", "3.7",
  "-7", "9007199254740993", "1e308", "%00", "%", "%E0%A4%A", "%F0%9F%8E%B2", "+", "é", "<b>",
  "null", "undefined", "true", "[]", "[[1]]", "{}", '{"seed":{"seed":1}}', "[object Object]",
  "__proto__", "constructor", "toString", "9".repeat(400), ":", "::", ",", ",,,", "1:2",
  "1:0.5:4", "1:0.5:4:9", "5:1:1,3:0:2,5:0:3", "2.5:.333:1.5", "1e400:1:1", "-1:1:1",
  "4:NaN:3,5:0.1:2", "__proto__:1:1", "1:constructor:1", "3:-0:-0",
  "1:1:1,".repeat(17_000), ",".repeat(100_000), ":".repeat(100_000), "9".repeat(100_000),
  Array.from({ length: 12_000 }, (_, i) => `${i}:${i % 2}:${i % 9}`).join(","),
];

/** Whatever stood in the address, the session is one that Python can run. */
function isHarmless(search) {
  const opening = parseAddress(search, first);
  if (opening === null) return;
  const { state } = outcome(opening); // throws at settings that the scene refuses
  assert.equal(state.session.steps, opening.steps);
  assert.deepEqual(Object.keys(opening).sort(), ["costRatio", "log", "seed", "steps"]);
  assert(Number.isInteger(opening.seed) && opening.seed >= 0 && opening.seed <= first.max_seed);
  assert(Number.isInteger(opening.steps) && opening.steps <= first.max_steps);
  assert(opening.costRatio >= 0 && opening.costRatio <= 1);
  const steps = opening.log.map(([step]) => step);
  assert.deepEqual(steps, [...new Set(steps)].sort((a, b) => a - b));
  assert(steps[0] === 0 && steps.at(-1) <= opening.steps);
  assert.deepEqual(parseAddress(formatAddress(opening), first), opening);
}

test("each nasty value of each name is harmless", () => {
  for (const name of NAMES) for (const value of NASTY) isHarmless(`?${name}=${value}`);
});

test("any mix of them is harmless, names given twice and values in one another, too", () => {
  const generator = random(2);
  for (let run = 0; run < RUNS; run += 1) {
    const parts = Array.from({ length: 1 + generator.below(7) }, () => {
      const value = () => generator.oneOf(NASTY).slice(0, 5000);
      const joint = generator.oneOf([",", ":", "&", "=", "%2C", ""]);
      return `${generator.oneOf(NAMES)}=${value()}${joint}${value()}`;
    });
    isHarmless(`?${parts.join("&")}`);
  }
});

test("any characters are harmless", () => {
  const generator = random(3);
  const alphabet = [..."0123456789.,:;-+eE&=?#%/\\\"'<>[]{}_ \0\n\u{1f3b2}\ud800seedmoves"];
  for (let run = 0; run < RUNS; run += 1) {
    const noise = Array.from({ length: generator.below(200) }, () => generator.oneOf(alphabet));
    isHarmless(`?${generator.oneOf(NAMES)}=${noise.join("")}`);
  }
});

test("no name in an address reaches an object's prototype", () => {
  parseAddress("?__proto__=1&constructor=2&seed=3&moves=__proto__:1:1", first);
  assert.equal({}.seed, undefined);
  assert.deepEqual(Object.keys(Object.prototype), []);
});
