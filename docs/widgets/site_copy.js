// The copy of the site that the service worker keeps, as a page sees it: it is made when the
// page is at rest; a newer one waits for the reader's word. Without it all works, online.

import { onPageView } from "./page_views.js";
import { bringAddressUpToDate } from "./playground_on_page.js";
import { python } from "./python.js";
import { SITE_ROOT } from "./this_build.js";

class SiteCopy extends EventTarget {
  /** @type {ServiceWorker | null} a newer version, waiting */
  newer = null;
  /** @type {Promise<ServiceWorkerRegistration | null> | undefined} */
  #registering;
  #changesAreNewVersions = Boolean(navigator.serviceWorker?.controller);

  /**
   * Makes the copy, or finds it.
   *
   * @returns {Promise<ServiceWorkerRegistration | null>} null: this browser keeps none
   */
  async keep() {
    this.#registering ??= this.#register();
    const registration = await this.#registering;
    if (!registration) this.#registering = undefined; // another time, perhaps
    return registration;
  }

  /** Lets the newer version take over; every tab of the lab then loads its page anew. */
  async takeNewer() {
    const registration = await this.keep();
    if (!registration?.waiting) return reload(); // another tab was quicker
    this.#changesAreNewVersions = true;
    registration.waiting.postMessage({ type: "SKIP_WAITING" });
  }

  async #register() {
    const { serviceWorker } = navigator; // none in private windows, and over plain http
    if (!serviceWorker) return null;
    try {
      const registration = await serviceWorker.register(new URL("sw.js", SITE_ROOT));
      if (registration) this.#watch(registration);
      return registration ?? null;
    } catch {
      return null; // refused by the browser, or the server is gone
    }
  }

  /** @param {ServiceWorkerRegistration} registration */
  #watch(registration) {
    navigator.serviceWorker.addEventListener("controllerchange", () => {
      if (this.#changesAreNewVersions) reload();
      this.#changesAreNewVersions = true; // but the first copy of all is of this very page
    });
    const tell = () => {
      this.newer = registration.active && registration.waiting;
      this.dispatchEvent(new Event("change"));
    };
    registration.addEventListener("updatefound", () => {
      registration.installing?.addEventListener("statechange", tell);
    });
    tell();
    const look = () => registration.update().catch(() => {}); // no answer: nothing new
    onPageView(look);
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") look();
    });
  }
}

export const siteCopy = new SiteCopy();

/** Resolves when the page has loaded, nothing is going on, and Python is not on its way. */
export async function atRest() {
  if (document.readyState !== "complete") await next(window, "load");
  await new Promise((resolve) => (window.requestIdleCallback ?? setTimeout)(resolve));
  while (python.status.status === "booting") await next(python, "change");
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
