// The playground's session when its reader walks through the lines of a step.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { pass, reader } from "./browser_stand_in.js";
import { FakeWorker, LATENCY_MS } from "./fake_worker.js";
import { closeAll, codeInUse, open, PLAN, PLAYED, showsItsAddress } from "./playground.js";

const SOON_MS = 100;
const LONG_MS = 700;
const GAMMA = 4;
const STOPS = GAMMA + 2; // the model's step: its first line, one a guess, its last line

beforeEach(async () => {
  closeAll();
  FakeWorker.healthy = true;
  reader.wantsStillness = true;
  codeInUse.restore();
  await pass(LONG_MS);
});

/** A session in the mode, with the newest step's lines. */
async function walking(address = "") {
  const session = open(address);
  session.lineByLine.turn(true);
  await pass(LONG_MS);
  return session;
}

/** One that stands at the first line of its seventh step. */
async function atAFirstLine() {
  const session = await walking();
  session.lineByLine.next();
  await pass(SOON_MS);
  assert.equal(session.lineByLine.place.at, 1);
  return session;
}

const guessesShown = (session) => session.steps.shown.guesses;
const stepsOf = (session) => session.state.session.steps;
const all = Number.POSITIVE_INFINITY;

for (const [when, moments] of [
  ["before Python is up", [0]],
  ["while a session is replayed", [5, 10, 15, 20, 25, 30]],
  ["when all is still", [LONG_MS]],
]) {
  test(`the mode that is turned on ${when} knows the newest step's lines`, async () => {
    for (const address of ["", "?seed=5&gamma=4&quality=0.3&steps=130"]) {
      for (const moment of moments) {
        const session = open(address);
        await pass(moment);
        session.lineByLine.turn(true);
        await pass(LONG_MS);
        assert.deepEqual(session.lineByLine.place, { at: STOPS, of: STOPS });
        assert.equal(session.lineByLine.stop.returned, "Step");
        showsItsAddress(session);
        session.close();
      }
    }
  });
}

test("a step is made when its first line is asked for, its figures come with its last", async () => {
  const session = await atAFirstLine();
  const { state, address } = session;
  assert.deepEqual([session.frames.length, session.pace.length, stepsOf(session)], [7, 6, 6]);
  for (let guesses = 0; guesses <= GAMMA; guesses += 1) {
    assert.deepEqual([guessesShown(session), session.steps.written.length], [
      Math.max(guesses - 1, 0), 6]);
    assert.equal(session.state, state);
    assert.equal(session.address, address);
    session.lineByLine.next();
  }
  assert.equal(session.lineByLine.place.at, STOPS);
  assert.deepEqual([guessesShown(session), stepsOf(session)], [all, 7]);
  showsItsAddress(session);
});

test("back and forth shows what was shown there, and leaves the figures", async () => {
  const session = await atAFirstLine();
  const walk = session.lineByLine;
  const pictures = [];
  for (let at = 1; at < STOPS; at += 1) {
    pictures.push([walk.stop, { ...session.steps.shown }]);
    walk.next();
  }
  for (const [stop, shown] of pictures.reverse()) {
    walk.previous();
    assert.deepEqual([walk.stop, session.steps.shown], [stop, shown]);
    assert.equal(stepsOf(session), 7);
  }
  walk.previous();
  assert.equal(walk.place.at, 1);
  walk.last();
  assert.deepEqual([walk.place.at, guessesShown(session)], [STOPS, all]);
  walk.first();
  assert.deepEqual([walk.place.at, guessesShown(session)], [1, 0]);
  walk.last();
  showsItsAddress(session);
});

test("values are what the lines so far have set, and what is news is marked", async () => {
  const session = await atAFirstLine();
  const walk = session.lineByLine;
  assert.deepEqual(walk.stop.variables, [{ name: "step", text: "7", changed: false }]);
  walk.next();
  assert.deepEqual(walk.stop.variables.at(-1), { name: "i", text: "0", changed: true });
  assert.deepEqual(walk.stop.uniforms, ["0.70"]);
  walk.last();
  assert.deepEqual(walk.stop.variables.at(-1), { name: "i", text: "3", changed: false });
});

test("the argument checks are passed over until one asks for them", async () => {
  const session = await atAFirstLine();
  const walk = session.lineByLine;
  for (let i = 0; i < GAMMA; i += 1) walk.next();
  const { stop } = walk;
  walk.setIntoChecks(true);
  assert.deepEqual([walk.stop, walk.place.of], [stop, STOPS + 1]);
  walk.next();
  assert.equal(walk.stop.call, "_rows");
  walk.setIntoChecks(false);
  assert.deepEqual([walk.stop, walk.place.of], [stop, STOPS]);
});

test("pressed again while a step is on its way, Next line does not make two", async () => {
  const session = await walking();
  for (let i = 0; i < 5; i += 1) session.lineByLine.next();
  await pass(LONG_MS);
  assert.deepEqual([session.frames.length, session.lineByLine.place.at], [7, 1]);
});

test("Run plays the lines; Pause stands at one; Run goes on from there", async () => {
  reader.wantsStillness = false;
  const session = await walking();
  const lit = [];
  session.lineByLine.addEventListener("change", () => lit.push(session.lineByLine.place.at));
  session.run();
  await pass(150);
  session.pause();
  await pass(LONG_MS);
  const { at } = session.lineByLine.place;
  assert(at > 1 && at < STOPS && !session.running);
  assert.deepEqual([session.frames.length, stepsOf(session)], [7, 6]);
  const before = lit.length;
  session.run();
  await pass(LONG_MS);
  assert.deepEqual(lit.slice(0, before + 2), [2, 3, 4, 5, 2, 3, 4, 5].slice(0, before + 2));
  let changes = 0;
  session.addEventListener("change", () => {
    changes += 1;
  });
  session.lineByLine.previous(); // it pauses too, which the Run button has to show
  assert(!session.running && changes > 0);
  await pass(LONG_MS);
  session.lineByLine.last();
  showsItsAddress(session);
});

test("Step plays the lines of one step, Replay shows them again", async () => {
  reader.wantsStillness = false;
  const session = await walking();
  const { lineByLine } = session;
  session.step();
  await pass(SOON_MS);
  assert(lineByLine.playing && guessesShown(session) < GAMMA);
  await pass(LONG_MS);
  assert.deepEqual([lineByLine.place.at, stepsOf(session), lineByLine.playing], [STOPS, 7, false]);
  lineByLine.replay();
  await pass(SOON_MS);
  assert(lineByLine.playing && lineByLine.place.at < STOPS);
  await pass(LONG_MS);
  assert.deepEqual([lineByLine.place.at, stepsOf(session), lineByLine.playing], [STOPS, 7, false]);
  showsItsAddress(session);
});

test("a slow run turns the mode on, unless the reader wants stillness", async () => {
  for (const still of [true, false]) {
    reader.wantsStillness = still;
    const session = open();
    session.setSpeed("slow");
    await pass(LONG_MS);
    assert.equal(session.lineByLine.on, false);
    session.run();
    assert.equal(session.lineByLine.on, !still);
    session.close();
  }
});

for (const [what, leave, steps] of [
  ["Step", (session) => session.step(), 8],
  ["Reset", (session) => session.reset(), 0],
  ["the cost ratio", (session) => session.setCostRatio(0.4), 7],
  ["new code", () => codeInUse.apply('{"salt": 5}'), 7],
  ["the mode turned off", (session) => session.lineByLine.turn(false), 7],
  ["Retry after Python's death", (session) => {
    FakeWorker.newest.die();
    session.connect();
  }, 7],
]) {
  test(`a step left half shown is there to its end after ${what}`, async () => {
    const session = await atAFirstLine();
    session.lineByLine.next();
    session.lineByLine.next();
    leave(session);
    await pass(LONG_MS);
    assert.equal(stepsOf(session), steps);
    showsItsAddress(session, codeInUse.text);
  });
}

test("a slider moved in the middle of a step takes effect at the next", async () => {
  const session = await atAFirstLine();
  session.lineByLine.next();
  session.set({ gamma: 2 });
  assert.equal(session.lineByLine.place.at, 2);
  session.lineByLine.last();
  session.lineByLine.next();
  await pass(SOON_MS);
  assert.deepEqual(session.lineByLine.place, { at: 1, of: 4 });
});

test("the lines of earlier steps are not kept", async () => {
  const session = await walking("?steps=55");
  session.setSpeed("max");
  session.run();
  await pass(2 * LONG_MS);
  session.pause();
  await pass(SOON_MS);
  assert(session.frames.every((frame) => !("lines" in frame)));
  assert(session.lineByLine.known);
  showsItsAddress(session);
});

test("a prediction is played in the mode as without it", async () => {
  const session = await walking();
  const play = session.play(PLAN);
  await pass(LONG_MS);
  assert.deepEqual(await play, PLAYED);
});

test("death at any moment of a walk to the next step is healed", async () => {
  for (let moment = 0; moment <= 6 * LATENCY_MS; moment += LATENCY_MS / 2) {
    const session = await walking();
    session.lineByLine.next();
    await pass(moment);
    FakeWorker.newest.die();
    await pass(SOON_MS);
    session.connect();
    await pass(LONG_MS);
    session.lineByLine.next();
    await pass(LONG_MS);
    session.lineByLine.last();
    showsItsAddress(session);
    session.close();
  }
});
