// The copy of the site that the service worker keeps, as a page sees it: it is made when the
// page is at rest; a newer one waits for the reader's word. Without it all works, online.

import { isOutdated } from "./outdated_page.js";
import { onPageView } from "./page_views.js";
import { bringAddressUpToDate } from "./playground_on_page.js";
import { python } from "./python.js";
import { SITE_ROOT } from "./this_build.js";

const REST_MS = 2000; // a reader's first steps, and what a page loads later, come before

class SiteCopy extends EventTarget {
  /** Counts the newer versions that have been there: a reader who declined one hears of the next. */
  newer = 0;
  /** @type {ServiceWorkerRegistration | undefined} */
  #registration;
  #container = navigator.serviceWorker; // none in private windows, and over plain http
  #changesAreNewVersions = Boolean(this.#container?.controller);

  constructor() {
    super();
    python.addEventListener("change", async () => {
      if (python.status.status === "failed" && (await isOutdated())) this.#tell();
    });
    this.#container?.addEventListener("controllerchange", () => {
      if (this.#changesAreNewVersions) reload();
      this.#changesAreNewVersions = true; // but the first copy of all is of this very page
    });
  }

  /**
   * Makes the copy, or finds it. When it is there, so is whoever serves it.
   *
   * @throws {Error} in words for the reader
   */
  async keep() {
    const found = await this.#container?.register(new URL("sw.js", SITE_ROOT));
    if (!found) throw new Error("this browser keeps no copy of a site, or not in this window");
    if (found !== this.#registration) this.#watch(found);
    this.#registration = found;
    const making = found.active ? null : (found.installing ?? found.waiting);
    while (making && making.state !== "activated") {
      if (making.state === "redundant") {
        throw new Error("the pages could not be kept: no room for them, or no answer from the server");
      }
      await next(making, "statechange");
    }
  }

  async isThere() {
    return Boolean((await this.#container?.getRegistration(SITE_ROOT))?.active);
  }

  /** Lets the newer version take over; every tab of the lab then loads its page anew. */
  takeNewer() {
    const waiting = this.#registration?.waiting;
    if (!waiting) return reload(); // another tab was quicker, or there is no service worker
    this.#changesAreNewVersions = true;
    waiting.postMessage({ type: "SKIP_WAITING" });
  }

  /** @param {ServiceWorkerRegistration} registration */
  #watch(registration) {
    const tell = () => registration.active && registration.waiting && this.#tell();
    registration.addEventListener("updatefound", () => {
      const { installing } = registration;
      installing?.addEventListener("statechange", () => installing.state === "installed" && tell());
    });
    tell();
    const look = () => registration.update().catch(() => {}); // no answer: nothing new
    onPageView(look);
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") look();
    });
  }

  #tell() {
    this.newer += 1;
    this.dispatchEvent(new Event("change"));
  }
}

export const siteCopy = new SiteCopy();

/** Resolves when the page has loaded, nothing is going on, and Python is not on its way. */
export async function atRest() {
  if (document.readyState !== "complete") await next(window, "load");
  await new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve));
  while (python.status.status === "booting") await next(python, "change");
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  await python.quiet();
}

/**
 * @param {EventTarget} target
 * @param {string} type
 */
const next = (target, type) =>
  new Promise((resolve) => target.addEventListener(type, resolve, { once: true }));

function reload() {
  bringAddressUpToDate();
  location.reload();
}
