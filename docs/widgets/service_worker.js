// The service worker: pages and widgets come from a copy of one whole build, made in the
// background at the first visit; Python from what the tab has checked and kept.
// Published as sw.js at the site's root, with the list of this build's files put in.

import { clientsClaim } from "workbox-core";
import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import { recall } from "./runtime_cache.js";

const worker = /** @type {any} */ (self); // TypeScript takes it for a page
const ROOT = new URL("./", self.location.href).href;
const PYTHON = `${ROOT}runtime/pyodide-`;

// An address carries a reader's session after its "?": the page is the same.
precacheAndRoute(/** @type {any} */ (self).__WB_MANIFEST, { ignoreURLParametersMatching: [/./] });
cleanupOutdatedCaches();

// The page of the first visit is served from the copy too, from now on.
clientsClaim();

// A newer version waits until no tab shows this one, or until the reader asks for it.
self.addEventListener("message", ({ data }) => {
  if (data?.type === "SKIP_WAITING") worker.skipWaiting();
});

const ofPython = (/** @type {{url: URL, request: Request}} */ { url, request }) =>
  url.href.startsWith(PYTHON) && !request.headers.has("Range");

// The worker asks the browser's HTTP cache for WebAssembly, which has it compiled.
registerRoute(
  (asked) => ofPython(asked) && asked.url.pathname.endsWith(".wasm"),
  async ({ request }) => {
    try {
      return await fetch(request);
    } catch {
      return (await recall(request.url)) ?? Response.error();
    }
  },
);

registerRoute(ofPython, async ({ request }) => (await recall(request.url)) ?? fetch(request));

registerRoute(
  ({ request }) => request.mode === "navigate",
  async ({ request, url }) => {
    try {
      return await fetch(request);
    } catch {
      return (await redirectedToFolder(url)) ?? notFound();
    }
  },
);

/**
 * What a server does for the address of a page without its final slash.
 *
 * @param {URL} url
 */
async function redirectedToFolder(url) {
  const page = await matchPrecache(`${url.origin}${url.pathname}/index.html`);
  return page && Response.redirect(`${url.origin}${url.pathname}/${url.search}`);
}

async function notFound() {
  const page = await matchPrecache(`${ROOT}404.html`);
  return page
    ? new Response(page.body, { status: 404, headers: page.headers })
    : Response.error();
}
