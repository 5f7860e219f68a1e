// A memory without its empty pages: three fifths of Python's are, and a browser takes as long to
// bring them as the others.
//
// Packed: how many bytes the whole is, its number of pages in use, their numbers, the pages.

const PAGE_BYTES = 4096;

/**
 * @param {Uint8Array<ArrayBuffer>} memory
 * @returns {Blob}
 */
export function packed(memory) {
  const words = new BigUint64Array(memory.buffer, memory.byteOffset, Math.floor(memory.length / 8));
  const last = Math.ceil(memory.length / PAGE_BYTES) - 1; // which may end in half a word
  const inUse = [];
  for (let page = 0; page <= last; page += 1) {
    const ofPage = words.subarray((page * PAGE_BYTES) / 8, ((page + 1) * PAGE_BYTES) / 8);
    if (page === last || ofPage.some((word) => word !== 0n)) inUse.push(page);
  }
  const pages = inUse.map((page) => memory.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES));
  return new Blob([Uint32Array.of(memory.length, inUse.length, ...inUse), ...pages]);
}

/**
 * @param {ArrayBuffer} file what `packed` made
 * @returns {ArrayBuffer} the memory
 * @throws {RangeError} it is something else
 */
export function unpacked(file) {
  const [bytes, count] = new Uint32Array(file, 0, 2);
  const memory = new Uint8Array(bytes);
  const pages = new Uint32Array(file, 8, count);
  let from = 8 + 4 * count;
  for (const page of pages) {
    const length = Math.min(PAGE_BYTES, bytes - page * PAGE_BYTES);
    memory.set(new Uint8Array(file, from, length), page * PAGE_BYTES);
    from += length;
  }
  return memory.buffer;
}
