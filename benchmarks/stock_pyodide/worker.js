// What Pyodide's documentation has one write.

import { loadPyodide } from "./pyodide.mjs";

const pyodide = await loadPyodide();
await pyodide.loadPackage("numpy", { messageCallback() {} });
postMessage(pyodide.runPython("import numpy as np; float(np.arange(5).sum())"));
