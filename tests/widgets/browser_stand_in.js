// Lets docs/widgets run in Node: the fake worker in place of Comlink and the real one, a
// clock that the tests turn, and a reader who may have asked for stillness.

import { setMaxListeners } from "node:events";
import { registerHooks } from "node:module";
import { mock } from "node:test";
import { FakeWorker } from "./fake_worker.js";

const TICK_MS = 5;
const FAKE_COMLINK = new URL("fake_worker.js", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === "comlink" ? FAKE_COMLINK : specifier, context),
});
setMaxListeners(0); // many sessions listen to one Python
mock.timers.enable({ apis: ["setTimeout"] });

export const reader = { wantsStillness: true };

/** The page is shown to its reader, or is not. */
export function show(visible) {
  document.hidden = !visible;
  document.dispatchEvent(new Event("visibilitychange"));
}

globalThis.document = Object.assign(new EventTarget(), { hidden: false });
globalThis.addEventListener = () => {};
globalThis.Worker = FakeWorker;
globalThis.matchMedia = () => ({ matches: reader.wantsStillness });

/** Lets everything happen that happens in so many milliseconds. */
export async function pass(ms) {
  await settleTick();
  for (let passed = 0; passed < ms; passed += TICK_MS) {
    mock.timers.tick(TICK_MS);
    await settleTick();
  }
}

const settleTick = () => new Promise((resolve) => setImmediate(resolve));
