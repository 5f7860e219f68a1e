// Entry point of every page: the playground at once; the widgets further down, and the copy of
// the site for the next visit, when nothing more urgent is left to load.

import { onPageView, loadPagesOfOtherBuildsWhole } from "./page_views.js";
import { PlaygroundElement } from "./playground.jsx";
import { playgroundOfPage } from "./playground_on_page.js";
import { python } from "./python.js";

const MARGIN = "600px"; // a widget so near is about to be seen

customElements.define("spec-playground", PlaygroundElement);
loadPagesOfOtherBuildsWhole();

/** @type {Promise<unknown> | undefined} */
let loading;

function loadTheRest() {
  loading ??= import("./later.js");
  loading.catch(() => {
    loading = undefined; // tried again when one of the widgets is seen
  });
}

const sight = new IntersectionObserver(
  (changes) => changes.some(({ isIntersecting }) => isIntersecting) && loadTheRest(),
  { rootMargin: MARGIN },
);

onPageView(() => {
  const playground = playgroundOfPage();
  const name = playground?.dataset.playground; // one with files of its own
  if (name) import(`./playgrounds/${name}.jsx`);
  for (const widget of document.querySelectorAll("article :not(:defined)")) {
    if (widget !== playground) sight.observe(widget);
  }
  if (!playground) loadTheRest();
});
python.addEventListener("change", async () => {
  if (loading || python.status.status === "booting") return; // starting takes the whole processor
  await python.quiet();
  loadTheRest();
});
