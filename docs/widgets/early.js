// Runs ahead of the page's other scripts, which take as long as Python's first files to come:
// makes Python's worker, which has a thread of its own, as soon as it is sure that a playground
// is about to be seen.

import { sparesConnection } from "./connection.js";
import { hold, makeWorker, take } from "./early_worker.js";

const MARGIN_PX = 200; // about to be seen
const TALL = "(min-height: 560px)";
const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);

/** A playground stands at the top of its page: on a window of some height it is seen at once. */
const isSeenAtOnce = () =>
  document.visibilityState === "visible" && !location.hash && matchMedia(TALL).matches;

// The first frame waits for the style sheets, and so for the place of things on the page.
function look() {
  const playground = document.querySelector("spec-playground, [data-playground]");
  if (!playground) {
    if (document.readyState === "loading") requestAnimationFrame(look);
    return;
  }
  const { top, bottom } = playground.getBoundingClientRect();
  if (top > innerHeight + MARGIN_PX || bottom < -MARGIN_PX) return;
  setTimeout(start); // when that frame is out
}

function start() {
  const worker = makeWorker(src);
  hold(worker);
  worker.onerror = (event) => {
    event.preventDefault();
    take(); // whoever starts Python makes one that fails before their eyes
  };
}

if (!sparesConnection()) {
  if (isSeenAtOnce()) start();
  else requestAnimationFrame(look);
}
