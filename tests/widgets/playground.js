// A playground's session as a page opens it, and what it must come to.

import assert from "node:assert/strict";
import "./browser_stand_in.js";
import { FakeWorker, firstFrame, outcome } from "./fake_worker.js";

const { PlaygroundSession } = await import("../../docs/widgets/playground_session.js");
const { FRAMES_KEPT } = await import("../../docs/widgets/playground_scene.js");
const { codeInUse: codeOf } = await import("../../docs/widgets/code_in_use.js");
export const codeInUse = codeOf("speculative.py"); // which makes the steps
export const otherCode = codeOf("sampling.py"); // which does not
export const { codeOutput } = await import("../../docs/widgets/code_output.js");
export const { python } = await import("../../docs/widgets/python.js");
export const { parseAddress, formatAddress } = await import(
  "../../docs/widgets/session_address.js"
);

export const first = firstFrame();

const sessions = new Set();

/** All pages are left. */
export function closeAll() {
  for (const session of sessions) session.close();
  sessions.clear();
}

/** All pages are left, and another Python starts; one that is not healthy needs help for it. */
export function beginAnew({ healthy = true } = {}) {
  closeAll();
  FakeWorker.healthy = healthy;
  python.retry().catch(() => {});
}

/** A session on a page with this address, connected as the page does it. */
export function open(address = "") {
  const session = new PlaygroundSession(first, parseAddress(address, first));
  session.setSpeed("fast");
  session.connect();
  python.boot().catch(() => {}); // as the page does when the widget is seen
  sessions.add(session);
  return session;
}

/** Nothing is under way, and all that is shown is what the address comes to under this code. */
export function showsItsAddress(session, code = null) {
  const { error, notice, waiting, running } = session;
  assert.deepEqual([error, notice, waiting, running], ["", "", 0, false]);
  const opening = parseAddress(session.address, first);
  const { frames, state } = outcome(opening, code);
  assert.deepEqual(session.state, state);
  assert.deepEqual(session.pace, frames.map(({ pace }) => pace));
  assert.deepEqual(session.frames, frames.slice(-FRAMES_KEPT));
  assert.deepEqual(session.settings, opening.log.at(-1)[1]);
  assert.deepEqual([session.seed, session.costRatio], [opening.seed, opening.costRatio]);
}

/** What a prediction asks for, and the states that it gets. */
export const PLAN = {
  seed: 3,
  cost_ratio: 0.5,
  segments: [
    { settings: { quality: 0.9, gamma: 2 }, steps: 7 },
    { settings: { quality: 0.1, gamma: 6 }, steps: 3 },
  ],
};
const [before, after] = PLAN.segments;
const played = (/** @type {number} */ steps, log) =>
  outcome({ seed: PLAN.seed, costRatio: PLAN.cost_ratio, steps, log }).state;
export const PLAYED = [
  played(7, [[0, before.settings]]),
  played(10, [[0, before.settings], [7, after.settings]]),
];
