// A memory without its empty pages: three fifths of Python's are, and a browser takes as long to
// bring them as the others. Nor has it those that are there already when it is put back, if the
// one who packs it knows them.
//
// Packed: how many bytes the whole is, how many a note on it is, the number of pages, their
// numbers, the pages, the note.

const PAGE_BYTES = 4096; // of which a WebAssembly memory has a whole number
const HEADER_BYTES = 12;

/**
 * @param {Uint8Array<ArrayBuffer>} memory
 * @param {object} note as JSON knows it
 * @param {Uint8Array<ArrayBuffer>} [before] of as many bytes: what will be there when it is put back
 * @returns {Blob}
 */
export function packed(memory, note, before) {
  const [inUse, asBefore] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  for (let page = 0; page < memory.length / PAGE_BYTES; page += 1) {
    const words = wordsOf(memory, page);
    if (words.every((word) => word === 0n)) continue;
    const old = before && wordsOf(before, page);
    (old && words.every((word, i) => word === old[i]) ? asBefore : inUse).push(page);
  }
  const pages = inUse.map((page) => memory.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES));
  const said = new TextEncoder().encode(JSON.stringify({ ...note, asBefore }));
  return new Blob([Uint32Array.of(memory.length, said.length, inUse.length, ...inUse), ...pages, said]);
}

/**
 * @param {Uint8Array<ArrayBuffer>} memory
 * @param {number} page
 */
const wordsOf = ({ buffer, byteOffset }, page) =>
  new BigUint64Array(buffer, byteOffset + page * PAGE_BYTES, PAGE_BYTES / 8);

export class PackedMemory {
  #file;
  #pages;
  bytes;
  note;

  /**
   * @param {ArrayBuffer} file what `packed` made
   * @throws {RangeError} it is something else
   */
  constructor(file) {
    const [bytes, noteBytes, count] = new Uint32Array(file, 0, 3);
    if (file.byteLength !== HEADER_BYTES + count * (4 + PAGE_BYTES) + noteBytes) {
      throw new RangeError("not a packed memory");
    }
    this.#file = file;
    this.#pages = new Uint32Array(file, HEADER_BYTES, count);
    this.bytes = bytes;
    this.note = JSON.parse(new TextDecoder().decode(new Uint8Array(file, file.byteLength - noteBytes)));
  }

  /** @param {Uint8Array} memory of as many bytes: becomes the one that was packed */
  unpackInto(memory) {
    const numbers = [...this.#pages, ...this.note.asBefore].sort((one, other) => one - other);
    let done = 0;
    for (const page of numbers) {
      const at = page * PAGE_BYTES;
      if (at > done) memory.fill(0, done, at);
      done = at + PAGE_BYTES;
    }
    memory.fill(0, done);
    let from = HEADER_BYTES + this.#pages.byteLength;
    for (const page of this.#pages) {
      memory.set(new Uint8Array(this.#file, from, PAGE_BYTES), page * PAGE_BYTES);
      from += PAGE_BYTES;
    }
  }
}
