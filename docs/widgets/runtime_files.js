// Fetches the files of the Python runtime and refuses any that is not what the build pinned.
// loadPyodide never settles on a bad wasm, so it is called only when all of them are good.

/**
 * @typedef {import("./types").Manifest} Manifest
 * @typedef {import("./types").RuntimeFile} RuntimeFile
 * @typedef {import("./types").Progress} Progress
 */

/** @returns {Promise<Manifest>} that of the build whose file this is; addresses in it are from the site's root */
export async function fetchManifest() {
  const address = new URL("../runtime/manifest.json", import.meta.url).href;
  const response = await request(address, "manifest.json");
  try {
    return await response.json();
  } catch {
    throw new Error("manifest.json is damaged: it is not JSON");
  }
}

/**
 * Fetches all files at once.
 *
 * @param {RuntimeFile[]} files
 * @param {string} siteRoot
 * @param {(progress: Progress) => void} onProgress
 * @returns {Promise<Map<string, Uint8Array<ArrayBuffer>>>} name → checked content
 */
export async function fetchChecked(files, siteRoot, onProgress) {
  const totalBytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const waitingFor = new Set(files.map((file) => file.name));
  let loadedBytes = 0;
  const report = () =>
    onProgress({ stage: "downloading", loadedBytes, totalBytes, waitingFor: [...waitingFor] });
  report();
  const contents = await Promise.all(
    files.map(async (file) => {
      const content = await download(new URL(file.url, siteRoot).href, file, (bytes) => {
        loadedBytes += bytes;
        report();
      });
      await check(content, file);
      waitingFor.delete(file.name);
      report();
      return /** @type {const} */ ([file.name, content]);
    }),
  );
  return new Map(contents);
}

/**
 * @param {string} url
 * @param {string} name
 */
async function request(url, name) {
  let response;
  try {
    response = await fetch(url);
  } catch {
    throw new Error(`${name} could not be fetched: no answer from the server`);
  }
  if (!response.ok) throw new Error(`${name} could not be fetched: the server said ${response.status}`);
  return response;
}

/**
 * @param {string} url
 * @param {RuntimeFile} file
 * @param {(bytes: number) => void} onBytes
 */
async function download(url, file, onBytes) {
  const { body } = await request(url, file.name);
  const content = new Uint8Array(file.bytes);
  let length = 0;
  if (body) {
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw new Error(`${file.name} broke off after ${length} of ${file.bytes} bytes`);
      });
      if (done) break;
      if (length + value.length <= file.bytes) content.set(value, length);
      length += value.length;
      onBytes(value.length);
    }
  }
  if (length !== file.bytes) {
    throw new Error(`${file.name} is damaged: ${length} bytes came, ${file.bytes} were expected`);
  }
  return content;
}

/**
 * @param {Uint8Array<ArrayBuffer>} content
 * @param {RuntimeFile} file
 */
async function check(content, file) {
  if (!crypto.subtle) return; // only over plain http to another machine, where browsers hide it
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  if (sha256 !== file.sha256) {
    throw new Error(`${file.name} is damaged: its SHA-256 is ${sha256}, ${file.sha256} was expected`);
  }
}
