// docs/widgets/memory_pages.js: what is unpacked is what was packed, without its empty pages.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PackedMemory, packed } from "../../docs/widgets/memory_pages.js";

const PAGE = 4096;
const NOTE = { functions: 3, opened: [[8, "/größe/λ.so"]] };

/** @param {number} pages @param {number[]} at where it is not 0 */
function memoryWith(pages, at) {
  const memory = new Uint8Array(pages * PAGE);
  for (const place of at) memory[place] = 1 + (place % 255);
  return memory;
}

for (const [what, length, at, inUse] of [
  ["empty", 5, [], 0],
  ["first and last byte of a page", 9, [2 * PAGE, 4 * PAGE - 1], 2],
  ["first and last page", 4, [1, 4 * PAGE - 1], 2],
  ["every page in use", 3, [0, PAGE, 2 * PAGE], 3],
]) {
  test(`a memory comes back: ${what}`, async () => {
    const memory = memoryWith(length, at);
    const file = await packed(memory, NOTE).arrayBuffer();
    const note = new TextEncoder().encode(JSON.stringify({ ...NOTE, asBefore: [] }));
    assert.equal(file.byteLength, 12 + inUse * (4 + PAGE) + note.length);

    const found = new PackedMemory(file);
    assert.equal(found.bytes, memory.length);
    assert.deepEqual(found.note, { ...NOTE, asBefore: [] });
    const used = new Uint8Array(memory.length).fill(7); // all of it is overwritten
    found.unpackInto(used);
    assert.deepEqual(used, memory);
  });
}

test("what will be there before it is put back is not packed, and stays", async () => {
  const before = memoryWith(6, [0, PAGE, 2 * PAGE, 4 * PAGE]); // the same, another, emptied, new, emptied
  const memory = memoryWith(6, [0, PAGE + 1, 3 * PAGE, 6 * PAGE - 1]);
  const file = await packed(memory, NOTE, before).arrayBuffer();
  const found = new PackedMemory(file);
  assert.deepEqual(found.note.asBefore, [0]);
  found.unpackInto(before);
  assert.deepEqual(before, memory);
});

test("what was not packed, or not all of it, is refused", async () => {
  const text = new TextEncoder().encode("damaged!!! and long enough for a header").buffer;
  assert.throws(() => new PackedMemory(new ArrayBuffer(7)), RangeError);
  assert.throws(() => new PackedMemory(text), RangeError);
  const file = await packed(memoryWith(3, [PAGE]), NOTE).arrayBuffer();
  assert.throws(() => new PackedMemory(file.slice(0, -1)), RangeError);
});
