import { inflateRawSync } from 'node:zlib';

/** The files of a ZIP archive by their paths, as its central directory lists them (PKWARE APPNOTE 4.3.12). */
export function readZip(bytes: Buffer): ReadonlyMap<string, Buffer> {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const files = new Map<string, Buffer>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extra, comment] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place));
    const name = bytes.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    const local = bytes.readUInt32LE(at + 42);
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const packed = bytes.subarray(from, from + bytes.readUInt32LE(at + 20));
    files.set(name, bytes.readUInt16LE(at + 10) === 0 ? packed : inflateRawSync(packed));
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}
