// Says, on the page's own clock, when the worker's first line of NumPy has run.

const worker = new Worker("worker.js", { type: "module" });
worker.onmessage = () => {
  window.doneAt = performance.now();
};
