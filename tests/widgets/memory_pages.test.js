// docs/widgets/memory_pages.js: what is unpacked is what was packed, without its empty pages.

import assert from "node:assert/strict";
import { test } from "node:test";
import { packed, unpacked } from "../../docs/widgets/memory_pages.js";

const PAGE = 4096;

/** @param {number} length @param {number[]} at where it is not 0 */
function memoryWith(length, at) {
  const memory = new Uint8Array(length);
  for (const place of at) memory[place] = 1 + (place % 255);
  return memory;
}

for (const [what, length, at, pages] of [
  ["empty but for the last page", 5 * PAGE, [], 1],
  ["first and last byte of a page", 9 * PAGE, [2 * PAGE, 4 * PAGE - 1, 9 * PAGE - 1], 3],
  ["every page in use", 3 * PAGE, [0, PAGE, 2 * PAGE], 3],
  ["half a page more", 2 * PAGE + 100, [2 * PAGE + 99], 1],
  ["not even whole words", PAGE + 13, [PAGE + 12], 1],
]) {
  test(`a memory comes back: ${what}`, async () => {
    const memory = memoryWith(length, at);
    const file = await packed(memory).arrayBuffer();
    assert.deepEqual(new Uint8Array(unpacked(file)), memory);
    assert.equal(new Uint32Array(file, 0, 2)[1], pages);
    assert.ok(file.byteLength <= 8 + pages * (4 + PAGE));
  });
}

test("what was not packed is refused", () => {
  const text = new TextEncoder().encode("damaged!!! and long enough for a header").buffer;
  assert.throws(() => unpacked(new ArrayBuffer(7)), RangeError);
  assert.throws(() => unpacked(text), RangeError);
});
