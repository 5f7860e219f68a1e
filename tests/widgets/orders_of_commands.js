// Every sequence of commands to the playground's session, in one order of events:
//   node orders_of_commands.js <order>
// A plain script: Node's test runner follows every promise, which is too slow for so many.

import assert from "node:assert/strict";
import { pass, reader } from "./browser_stand_in.js";
import { FakeWorker } from "./fake_worker.js";
import { first, open, PLAN, PLAYED, parseAddress, python, showsItsAddress } from "./playground.js";

const LENGTH = 4;
const SOON_MS = 100; // Python opens a session in less
const LONG_MS = 600; // all animations end in less, and a run makes more steps
const ORDERS = {
  "in the same moment": { gap: 0 },
  "while Python works on the one before": { gap: 5, openedMs: SOON_MS },
  "when Python has answered the one before": { gap: 45, openedMs: SOON_MS },
  "before Python is up": { gap: 0, late: true },
  "while guesses appear": { gap: 45, openedMs: SOON_MS, animated: true, length: 3 },
  "while the verdict is shown": { gap: 330, openedMs: SOON_MS, animated: true, length: 3 },
  "line by line": { gap: 45, openedMs: SOON_MS, animated: true, length: 3, inLines: true },
};
const PLAY_MS = 250; // a play is through

/**
 * A session and what it must come to: `steps` is a lower bound where a run or a play came in
 * (`exact` false), settings are null while a play sets them.
 */
const begin = (sequence) => ({
  sequence, session: open(), plays: [],
  seed: 81, costRatio: 0.05, settings: { quality: 0.85, gamma: 4 },
  steps: 6, exact: true, running: false, playing: false,
});

const COMMANDS = {
  run(world) {
    world.session.run();
    Object.assign(world, { exact: false, running: true, playing: false });
  },
  step(world) {
    world.session.step();
    Object.assign(world, { steps: world.steps + 1, running: false, playing: false });
  },
  pause(world) {
    world.session.pause();
    Object.assign(world, { running: false, playing: false });
  },
  reset(world) {
    const seed = world.seed + 1;
    world.session.reset(seed);
    Object.assign(world, { seed, steps: 0, exact: true, running: false, playing: false });
  },
  quality(world, turn) {
    const quality = (turn + 1) / 10;
    world.session.set({ quality });
    world.settings &&= { ...world.settings, quality };
    world.playing = false;
  },
  cost(world, turn) {
    world.costRatio = (turn + 1) / 10;
    world.session.setCostRatio(world.costRatio);
    world.playing = false;
  },
  play(world) {
    const play = { states: undefined };
    world.plays.push(play);
    world.session.play(PLAN).then((states) => {
      play.states = states;
    });
    Object.assign(world, { seed: PLAN.seed, costRatio: PLAN.cost_ratio, settings: null });
    Object.assign(world, { steps: 0, exact: false, running: false, playing: true });
  },
  reopen(world) {
    const { address } = world.session;
    const { seed, costRatio, steps, log } = parseAddress(address, first);
    assert.deepEqual([seed, costRatio], [world.seed, world.costRatio]);
    const settings = log.at(-1)[1];
    if (world.settings) assert.deepEqual(settings, world.settings);
    world.session.close();
    world.session = open(address);
    Object.assign(world, { steps, settings, exact: true, running: false, playing: false });
  },
};

const LINE_COMMANDS = {
  mode(world) {
    world.session.lineByLine.turn(!world.session.lineByLine.on);
  },
  next(world) {
    world.session.lineByLine.next();
    Object.assign(world, { exact: false, running: false, playing: false });
  },
  previous(world) {
    world.session.lineByLine.previous();
    Object.assign(world, { running: false, playing: false });
  },
  replayStep(world) {
    world.session.lineByLine.replay();
    Object.assign(world, { running: false, playing: false });
  },
};

function sequences(commands, length) {
  if (length === 0) return [[]];
  const shorter = sequences(commands, length - 1);
  const longest = shorter.filter((sequence) => sequence.length === length - 1);
  const longer = longest.flatMap((sequence) => commands.map((command) => [...sequence, command]));
  return [...shorter, ...longer];
}

function cameToWhatWasAsked(world, gap) {
  const { session, plays, playing } = world;
  for (const [i, { states }] of plays.entries()) {
    const through = gap > PLAY_MS || (playing && i === plays.length - 1);
    assert.deepEqual(states, through ? PLAYED : null);
  }
  if (playing) assert.deepEqual(session.state, PLAYED.at(-1));
  assert.deepEqual([session.seed, session.costRatio], [world.seed, world.costRatio]);
  if (world.settings) assert.deepEqual(session.settings, world.settings);
  const { steps } = session.state.session;
  assert(world.exact ? steps === world.steps : steps >= world.steps, `${steps} steps`);
  showsItsAddress(session);
}

async function problemsOf({
  gap, openedMs = 0, late = false, animated = false, length = LENGTH, inLines = false,
}) {
  const commands = inLines ? { ...COMMANDS, ...LINE_COMMANDS } : COMMANDS;
  const all = sequences(Object.keys(commands), length);
  reader.wantsStillness = !animated;
  FakeWorker.healthy = !late;
  const booting = python.boot();
  if (!late) await Promise.all([booting, pass(SOON_MS)]);

  const problems = [];
  let worlds = all.map(begin);
  for (const { session } of worlds) session.lineByLine.turn(inLines);
  const check = (claim, among = worlds) => {
    const failed = new Set();
    for (const world of among) {
      try {
        claim(world);
      } catch (error) {
        problems.push(`${world.sequence.join(", ")}: ${error.message}`);
        failed.add(world);
      }
    }
    worlds = worlds.filter((world) => !failed.has(world));
  };

  await pass(openedMs);
  for (let turn = 0; turn < length; turn += 1) {
    check((world) => commands[world.sequence[turn]]?.(world, turn));
    await pass(gap);
  }
  if (late) FakeWorker.newest.comeUp();
  await pass(LONG_MS);

  const running = worlds.filter((world) => world.running);
  for (const world of running) world.before = world.session.state.session.steps;
  await pass(LONG_MS);
  check(({ session, before }) => {
    assert(session.running && session.state.session.steps > before, "the run stands still");
    session.pause();
  }, running);
  await pass(SOON_MS);
  for (const { session } of worlds) session.lineByLine.last(); // a step may be half shown
  check((world) => cameToWhatWasAsked(world, gap));

  for (const world of worlds) {
    world.before = world.session.state.session.steps;
    world.session.step(); // fits only if Python stands where the page does
  }
  await pass(LONG_MS);
  check(({ session, before }) => {
    assert.equal(session.state.session.steps, before + 1);
    showsItsAddress(session);
  });
  assert(problems.length + worlds.length === all.length);
  return problems;
}

const [, , order] = process.argv;
const problems = await problemsOf(ORDERS[order]);
assert(!problems.length, `${problems.length} sequences fail, these first:\n\n${
  problems.slice(0, 8).join("\n\n")}`);
