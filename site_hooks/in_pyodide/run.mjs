// Runs in Node, at build time: makes Pyodide's boot archives, and the memory of a Python that has
// started with them, with Pyodide itself.
// node run.mjs <pyodide's folder> <folder with job.json and its files> <folder for the results>

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { makeMemory } from "./memory.mjs";

const [core, from, to] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(core, "pyodide.mjs")).href);
const job = JSON.parse(await readFile(join(from, "job.json"), "utf8"));
const python = await loadPyodide({ indexURL: `${core}/` });
const read = async (/** @type {string} */ path) => new Uint8Array(await readFile(path));

for (const script of ["modules_in_use.py", "boot_archive.py"]) {
  const path = new URL(script, import.meta.url);
  python.FS.writeFile(`/${script}`, await readFile(path, "utf8"));
}
python.pyimport("sys").path.append("/");
for (const wheel of job.wheels) python.unpackArchive(await read(join(from, wheel)), "wheel");
python.FS.mkdirTree(job.scenes_folder);
for (const scene of job.scenes) {
  python.FS.writeFile(`${job.scenes_folder}/${scene}`, await read(join(from, scene)));
}
python.pyimport("sys").path.append(job.scenes_folder);

const inUse = python.pyimport("modules_in_use").modules_in_use(job.stdlib_folder);
const archives = python.pyimport("boot_archive");
for (const [make, name, result] of [
  [archives.of_standard_library, job.stdlib, job.boot_stdlib],
  [archives.of_wheel, job.numpy, job.boot_numpy],
  [archives.binaries_of_wheel, job.numpy, job.numpy_binaries],
]) {
  const archive = python.toPy(await read(join(from, name))).tobytes();
  await writeFile(join(to, result), make(archive, inUse).toJs());
}
const made = {
  stdlib: join(to, job.boot_stdlib),
  numpy: join(to, job.boot_numpy),
  binaries: join(to, job.numpy_binaries),
};
await writeFile(join(to, job.memory), await makeMemory(core, made));

