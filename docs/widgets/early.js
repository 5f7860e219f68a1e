// Runs ahead of the page's other scripts, which take as long as Python's first files to come:
// makes Python's worker as soon as a playground is painted. A worker has a thread of its own.

import { sparesConnection } from "./connection.js";
import { hold, makeWorker, take } from "./early_worker.js";

const MARGIN_PX = 200; // about to be seen
const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);

// The first frame waits for the style sheets, and so for the place of things on the page.
function look() {
  const playground = document.querySelector("spec-playground");
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

if (!sparesConnection()) requestAnimationFrame(look);
