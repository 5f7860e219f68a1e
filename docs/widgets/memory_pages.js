// A memory without its empty pages: three fifths of Python's are, and a browser takes as long to
// bring them as the others.
//
// Packed: how many bytes the whole is, how many a note on it is, the number of pages in use,
// their numbers, the pages, the note.

const PAGE_BYTES = 4096; // of which a WebAssembly memory has a whole number
const HEADER_BYTES = 12;

/**
 * @param {Uint8Array<ArrayBuffer>} memory
 * @param {object} note as JSON knows it
 * @returns {Blob}
 */
export function packed(memory, note) {
  const words = new BigUint64Array(memory.buffer, memory.byteOffset, memory.length / 8);
  const inUse = [];
  for (let page = 0; page < memory.length / PAGE_BYTES; page += 1) {
    const ofPage = words.subarray((page * PAGE_BYTES) / 8, ((page + 1) * PAGE_BYTES) / 8);
    if (ofPage.some((word) => word !== 0n)) inUse.push(page);
  }
  const pages = inUse.map((page) => memory.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES));
  const said = new TextEncoder().encode(JSON.stringify(note));
  return new Blob([Uint32Array.of(memory.length, said.length, inUse.length, ...inUse), ...pages, said]);
}

export class PackedMemory {
  #file;
  #pages;
  #noteBytes;
  bytes;

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
    this.#noteBytes = noteBytes;
    this.bytes = bytes;
  }

  get note() {
    const text = new Uint8Array(this.#file, this.#file.byteLength - this.#noteBytes);
    return JSON.parse(new TextDecoder().decode(text));
  }

  /** @param {Uint8Array} memory of as many bytes: becomes the one that was packed */
  unpackInto(memory) {
    let from = HEADER_BYTES + this.#pages.byteLength;
    let done = 0;
    for (const page of this.#pages) {
      const at = page * PAGE_BYTES;
      if (at > done) memory.fill(0, done, at);
      memory.set(new Uint8Array(this.#file, from, PAGE_BYTES), at);
      done = at + PAGE_BYTES;
      from += PAGE_BYTES;
    }
    memory.fill(0, done);
  }
}
