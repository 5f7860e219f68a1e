// The worker that early.js made before the rest of the page was there; whoever starts Python
// takes it over.

const HELD = "specdecWorker"; // on the global object: early.js and lab.js are two scripts

/** @param {string} beside the address of a script in the folder of worker.js */
export const makeWorker = (beside) => new Worker(new URL("worker.js", beside), { type: "module" });

/** @param {Worker} worker */
export function hold(worker) {
  Object.assign(globalThis, { [HELD]: worker });
}

/** Whether there is one to take over. */
export const isHeld = () => HELD in globalThis;

/** @returns {Worker | undefined} only once */
export function take() {
  const held = /** @type {Record<string, Worker | undefined>} */ (/** @type {unknown} */ (globalThis));
  const worker = held[HELD];
  delete held[HELD];
  return worker;
}
