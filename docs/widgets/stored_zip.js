// Reads a zip whose entries are stored, not compressed, as the build's archives are: quicker than
// Python's own unpacking in WebAssembly.

const ENTRY = 0x02014b50; // "PK\1\2", as a little-endian number
const END_BYTES = 22; // of the directory's end, when no comment follows it

/**
 * @param {Uint8Array<ArrayBuffer>} zip
 * @returns {Generator<{name: string, content: Uint8Array<ArrayBuffer>}>} views of its files
 * @throws {Error} it is no such zip
 */
export function* storedFiles(zip) {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength);
  const end = zip.length - END_BYTES;
  const [count, directory] = [view.getUint16(end + 10, true), view.getUint32(end + 16, true)];
  const text = new TextDecoder();
  for (let i = 0, at = directory; i < count; i += 1) {
    const [method, bytes, nameBytes, extraBytes, commentBytes, start] = [
      view.getUint16(at + 10, true),
      view.getUint32(at + 24, true),
      view.getUint16(at + 28, true),
      view.getUint16(at + 30, true),
      view.getUint16(at + 32, true),
      view.getUint32(at + 42, true),
    ];
    if (view.getUint32(at, true) !== ENTRY || method !== 0) throw new Error("not a stored zip");
    const name = text.decode(zip.subarray(at + 46, at + 46 + nameBytes));
    // The file's own header repeats the name; its extra field may be of another length.
    const content = start + 30 + nameBytes + view.getUint16(start + 28, true);
    yield { name, content: zip.subarray(content, content + bytes) };
    at += 46 + nameBytes + extraBytes + commentBytes;
  }
}
