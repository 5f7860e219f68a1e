// When Python starts by itself: as soon as a widget is about to be seen and the browser has
// nothing else to do, or when a reader touches one; over a slow or a dear connection only then.

import { sparesConnection } from "./connection.js";
import { isHeld } from "./early_worker.js";
import { python } from "./python.js";

const MARGIN = "200px";
const IDLE_MS = 200; // a browser that is never idle starts all the same
const TOUCHES = ["pointerdown", "keydown", "focusin"];

/** Starts Python unless it has been; its status says whether that failed. */
export function startNow() {
  if (python.status.status === "idle") python.boot().catch(() => {});
}

const sight = new IntersectionObserver(
  (changes) => {
    const seen = changes.filter(({ isIntersecting }) => isIntersecting);
    if (seen.length) whenIdle(() => seen.some(({ target }) => target.isConnected) && startNow());
  },
  { rootMargin: MARGIN },
);

/** @param {HTMLElement} widget one that needs Python, on the page now */
export function startWhenNeeded(widget) {
  if (python.status.status !== "idle") return;
  if (isHeld()) return startNow();
  for (const touch of TOUCHES) widget.addEventListener(touch, startNow);
  if (!sparesConnection()) sight.observe(widget);
}

/** @param {() => void} work */
function whenIdle(work) {
  if ("requestIdleCallback" in window) requestIdleCallback(work, { timeout: IDLE_MS });
  else setTimeout(work); // Safari
}
