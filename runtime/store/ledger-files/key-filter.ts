/**
 * Says of most keys that are not in a file that they are not, without reading it: a Bloom filter, 10 to 20 bits a key up to a bound. Past the bound it
 * says so of fewer keys, and the file is read for the others.
 */
export interface KeyFilter {
  /** The key of a record at that byte. */
  readonly add: (bytes: Buffer, at: number, kind: number) => void;
  /** False: the key was never added. */
  readonly mayHave: (bytes: Buffer, at: number, kind: number) => boolean;
  readonly bytes: () => Uint8Array;
}

const mostBytes = 8 * 1024 * 1024;
const fewestBytes = 64;
const bitsPerKey = 10;
const probes = 4;

/** For that many keys. */
export function createKeyFilter(keys: number): KeyFilter {
  let size = fewestBytes;
  while (size < mostBytes && size * 8 < keys * bitsPerKey) size *= 2;
  return keyFilterOf(new Uint8Array(size));
}

/** Reads a filter that was written; its length is a power of two. */
export function keyFilterOf(filter: Uint8Array): KeyFilter {
  const mask = filter.length * 8 - 1;
  /** Calls `visit` with the places of a key, until it returns false. Keys are random in their first 53 bits. */
  const each = (bytes: Buffer, at: number, kind: number, visit: (byte: number, bit: number) => boolean): boolean => {
    const high = bytes.readUInt32BE(at);
    const low = bytes.readUInt32BE(at + 4);
    let place = Math.imul(high ^ (low >>> 7) ^ kind, 0x9e3779b1);
    place ^= place >>> 15;
    const step = Math.imul(low ^ (high >>> 3), 0x85ebca6b);
    const odd = (step ^ (step >>> 13)) | 1;
    for (let probe = 0; probe < probes; probe += 1) {
      const bit = place & mask;
      if (!visit(bit >>> 3, 1 << (bit & 7))) return false;
      place = (place + odd) | 0;
    }
    return true;
  };
  return {
    add: (bytes, at, kind) => {
      each(bytes, at, kind, (byte, bit) => {
        filter[byte] = (filter[byte] ?? 0) | bit;
        return true;
      });
    },
    mayHave: (bytes, at, kind) => each(bytes, at, kind, (byte, bit) => ((filter[byte] ?? 0) & bit) !== 0),
    bytes: () => filter,
  };
}
