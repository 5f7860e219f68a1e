// In the worker: a reader's code gets no hold of the browser's caches. What it wrote there, the
// service worker would take for the lab's pages.

/** To be called when who needs them has taken hold of them, and before any Python runs. */
export function withholdCaches() {
  for (const name of ["caches", "Worker"]) { // a worker of the worker would have caches again
    for (let at = globalThis; at; at = Object.getPrototypeOf(at)) Reflect.deleteProperty(at, name);
  }
}
