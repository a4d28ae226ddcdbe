/** Records of ledger files, and ways to bring them in order. */
import { setImmediate as pause } from 'node:timers/promises';
import * as crypto from 'node:crypto';
import type { TextMap } from '../text-map.ts';
import { heads, ids, type Section } from './layout.ts';

/** Whole records of one section, in order. */
export type Records = AsyncIterable<Buffer> | Iterable<Buffer>;

/** Heads of streams by type, then by stream. */
export type HeadTable = ReadonlyMap<string, TextMap<number>>;

/** `key` names the store, so that a caller cannot choose streams with similar hashes. 128 bits: two streams never share one. */
export function streamKey(key: string, streamType: string, streamId: string): Buffer {
  return Buffer.from(crypto.hash('sha256', `${key}\0${streamType}\0${streamId}`, 'hex').slice(0, 32), 'hex');
}

/** A hash of 53 random bits, with these in front. */
export function idKey(hash: number, into = Buffer.alloc(ids.keyBytes), at = 0): Buffer {
  into.writeUInt32BE(Math.floor(hash / 2 ** 21), at);
  into.writeUInt32BE((hash % 2 ** 21) * 2 ** 11, at + 4);
  return into;
}

/** Records that are sorted without a pause. */
const sliceRecords = 4096;
/** Streams that are hashed without a pause. */
const sliceHashes = 1024;

/** The records in order, in chunks, with a pause for other work after each few thousand. */
export async function* sorted(records: Buffer, { recordBytes }: Section): AsyncGenerator<Buffer> {
  // By the first byte, which is random, and then within each.
  const starts = new Uint32Array(257);
  for (let at = 0; at < records.length; at += recordBytes)
    starts[(records[at] ?? 0) + 1] = (starts[(records[at] ?? 0) + 1] ?? 0) + 1;
  for (let first = 1; first <= 256; first += 1) starts[first] = (starts[first] ?? 0) + (starts[first - 1] ?? 0);
  const next = starts.slice(0, 256);
  const order = new Uint32Array(records.length / recordBytes);
  for (let at = 0; at < records.length; at += recordBytes) {
    const first = records[at] ?? 0;
    const place = next[first] ?? 0;
    order[place] = at;
    next[first] = place + 1;
  }
  let since = 0;
  for (let first = 0; first < 256; first += 1) {
    const some = order.subarray(starts[first], starts[first + 1]);
    if (some.length === 0) continue;
    some.sort((a, b) => records.compare(records, b, b + recordBytes, a, a + recordBytes));
    const chunk = Buffer.allocUnsafe(some.length * recordBytes);
    for (const [index, at] of some.entries()) records.copy(chunk, index * recordBytes, at, at + recordBytes);
    yield chunk;
    since += some.length;
    if (since < sliceRecords) continue;
    since = 0;
    await pause();
  }
}

interface Cursor {
  readonly source: AsyncIterator<Buffer>;
  chunk: Buffer;
  at: number;
}

const chunkBytes = 64 * 1024;

/** All records of several sources, oldest first. If heads have the same key, the head of the latest source stays. */
export async function* merged(sources: readonly AsyncIterable<Buffer>[], section: Section): AsyncGenerator<Buffer> {
  const { recordBytes, keyBytes } = section;
  let open: Cursor[] = [];
  for (const source of sources) {
    const cursor = { source: source[Symbol.asyncIterator](), chunk: Buffer.alloc(0), at: 0 };
    if (await isFilled(cursor)) open.push(cursor);
  }
  let out = Buffer.allocUnsafe(chunkBytes);
  let size = 0;
  while (open.length > 0) {
    let least = open[0] as Cursor; // there is one
    for (const other of open) if (other !== least && compare(other, least, recordBytes) < 0) least = other;
    const taken = section.name === 'heads' ? latestOf(open, least, keyBytes) : [least];
    const from = taken.at(-1) ?? least;
    from.chunk.copy(out, size, from.at, from.at + recordBytes);
    size += recordBytes;
    if (size + recordBytes > chunkBytes) {
      yield out.subarray(0, size);
      out = Buffer.allocUnsafe(chunkBytes);
      size = 0;
    }
    for (const cursor of taken) {
      cursor.at += recordBytes;
      if (cursor.at >= cursor.chunk.length && !(await isFilled(cursor)))
        open = open.filter((other) => other !== cursor);
    }
  }
  if (size > 0) yield out.subarray(0, size);
}

/** The next chunk of a source, if there is one. */
async function isFilled(cursor: Cursor): Promise<boolean> {
  for (;;) {
    const next = await cursor.source.next();
    if (next.done === true) return false;
    cursor.chunk = next.value;
    cursor.at = 0;
    if (cursor.chunk.length > 0) return true;
  }
}

/** The cursors at the same key, oldest first. */
function latestOf(open: readonly Cursor[], least: Cursor, keyBytes: number): readonly Cursor[] {
  return open.filter((other) => other === least || compare(other, least, keyBytes) === 0);
}

function compare(a: Cursor, b: Cursor, length: number): number {
  // Most differ in these bytes, and a call of `compare` costs more.
  const difference = a.chunk.readUInt32BE(a.at) - b.chunk.readUInt32BE(b.at);
  if (difference !== 0) return difference;
  return a.chunk.compare(b.chunk, b.at, b.at + length, a.at, a.at + length);
}

/** The record of a value that is at most 48 bits long, at that byte. */
export function writeValue(records: Buffer, at: number, { keyBytes }: Section, value: number): void {
  records.writeUIntBE(value, at + keyBytes, 6);
}
export function readValue(records: Buffer, at: number, { keyBytes }: Section): number {
  return records.readUIntBE(at + keyBytes, 6);
}

/** Records of heads, in any order, with pauses for other work. The maps do not change meanwhile. */
export async function headRecords(key: string, of: HeadTable): Promise<Buffer> {
  let count = 0;
  for (const streams of of.values()) count += streams.size();
  const records = Buffer.allocUnsafe(count * heads.recordBytes);
  let at = 0;
  for (const [streamType, streams] of of)
    for (const [streamId, seq] of streams.entries()) {
      streamKey(key, streamType, streamId).copy(records, at);
      writeValue(records, at, heads, seq);
      at += heads.recordBytes;
      if (at % (sliceHashes * heads.recordBytes) === 0) await pause();
    }
  return records;
}

/** Records of command ids, in any order. */
export function idRecords(of: readonly (readonly [hash: number, entry: number])[]): Buffer {
  const records = Buffer.allocUnsafe(of.length * ids.recordBytes);
  for (const [index, [hash, entry]] of of.entries()) {
    const at = index * ids.recordBytes;
    idKey(hash, records, at);
    writeValue(records, at, ids, entry);
  }
  return records;
}
