/**
 * A record batch as Arrow IPC bytes, written by hand: its metadata is a flatbuffer whose layout only changes in the
 * number of nodes and buffers, and the library takes longer over that layout than deciding a command takes.
 *
 * | at            | what                                                                            |
 * |---------------|---------------------------------------------------------------------------------|
 * | 0             | offset of the message table                                                     |
 * | 4, 16         | message: vtable; table (version, header type, body length, header)               |
 * | 36, 48        | record batch: vtable; table (nodes, length, buffers)                             |
 * | 68            | count of nodes, then for each: values, NULLs                                     |
 * | 76 + 16 nodes | count of buffers, then for each: where in the body, bytes                        |
 */

/**
 * The columns of a batch in Arrow's layout: nodes (length, number of NULLs) and buffers of each column and its
 * children, depth first.
 */
export interface BatchParts {
  /** Two numbers a node. */
  readonly nodes: number[];
  readonly buffers: Uint8Array[];
}

const prefixBytes = 8;
const nodesAt = 68;
const fixed = fixedMetadata();

/** The end mark of a stream. */
export const endMark: Uint8Array = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);

/** The number of bytes that `writeRecordBatch` takes. */
export function recordBatchBytes({ nodes, buffers }: BatchParts): number {
  let body = 0;
  for (const { byteLength } of buffers) body += padded(byteLength);
  return prefixBytes + metadataBytes(nodes, buffers) + body;
}

/** Writes the batch at `at`, which is a multiple of 8; gives the offset of its end. */
export function writeRecordBatch(into: Uint8Array, at: number, rows: number, parts: BatchParts): number {
  let place = writeHead(into, at, rows, parts);
  for (const buffer of parts.buffers) {
    into.set(buffer, place);
    const end = place + buffer.byteLength;
    place += padded(buffer.byteLength);
    into.fill(0, end, place);
  }
  return place;
}

/**
 * The numbers that differ between batches, from the beginning of a batch: two of 64 bits for each node and each buffer.
 */
export function recordBatchPlaces(nodes: number): {
  readonly bodyLength: number;
  readonly nodes: number;
  readonly buffers: number;
} {
  const first = prefixBytes + nodesAt + 4;
  return { bodyLength: prefixBytes + 24, nodes: first, buffers: first + 16 * nodes + 8 };
}

/**
 * The batch in pieces: whole, or its head and the unchanged buffers when these already lie one after the other as in a
 * body.
 */
export function recordBatchPieces(rows: number, parts: BatchParts): readonly Uint8Array[] {
  const body = standingBody(parts.buffers);
  const bytes = Buffer.allocUnsafe(recordBatchBytes(parts) - (body?.length ?? 0));
  if (body === undefined) {
    writeRecordBatch(bytes, 0, rows, parts);
    return [bytes];
  }
  writeHead(bytes, 0, rows, parts);
  return [bytes, body];
}

/** The memory of these buffers, when they lie one after the other, each padded with zeros. */
function standingBody(buffers: readonly Uint8Array[]): Uint8Array | undefined {
  const [first] = buffers;
  if (first === undefined) return undefined;
  const memory = new Uint8Array(first.buffer);
  let at = first.byteOffset;
  for (const { buffer, byteOffset, byteLength } of buffers) {
    if (buffer !== first.buffer || byteOffset !== at) return undefined;
    at += padded(byteLength);
    for (let place = byteOffset + byteLength; place < at; place++) if (memory[place] !== 0) return undefined;
  }
  return memory.subarray(first.byteOffset, at);
}

/** Writes everything before the buffers; gives the offset where they start. */
function writeHead(into: Uint8Array, at: number, rows: number, { nodes, buffers }: BatchParts): number {
  const metadata = metadataBytes(nodes, buffers);
  const start = at + prefixBytes;
  const view = new DataView(into.buffer, into.byteOffset, into.byteLength);
  const int64 = (place: number, value: number): void => {
    view.setUint32(start + place, value >>> 0, true);
    view.setUint32(start + place + 4, Math.floor(value / 2 ** 32), true);
  };
  view.setUint32(at, 0xffffffff, true);
  view.setUint32(at + 4, metadata, true);
  into.set(fixed, start);
  int64(56, rows);
  view.setUint32(start + nodesAt, nodes.length / 2, true);
  let place = nodesAt + 4;
  for (const number of nodes) {
    int64(place, number);
    place += 8;
  }
  view.setUint32(start + 64, place + 4 - 64, true);
  view.setUint32(start + place, 0, true);
  view.setUint32(start + place + 4, buffers.length, true);
  place += 8;
  let offset = 0;
  for (const { byteLength } of buffers) {
    int64(place, offset);
    int64(place + 8, byteLength);
    offset += padded(byteLength);
    place += 16;
  }
  int64(24, offset);
  return start + metadata;
}

function metadataBytes(nodes: readonly number[], buffers: readonly Uint8Array[]): number {
  return nodesAt + 4 + 8 * nodes.length + 8 + 16 * buffers.length;
}

function padded(bytes: number): number {
  return (bytes + 7) & ~7;
}

/**
 * Everything before the nodes that is the same in all batches. Offsets point forward from their own position, vtables
 * back.
 */
function fixedMetadata(): Uint8Array {
  const bytes = new Uint8Array(nodesAt);
  const view = new DataView(bytes.buffer);
  const shorts = (place: number, ...values: number[]): void => {
    for (const [index, value] of values.entries()) view.setUint16(place + 2 * index, value, true);
  };
  const [versionV5, recordBatch] = [4, 3];
  view.setUint32(0, 16, true);
  shorts(4, 12, 20, 4, 6, 16, 8);
  view.setInt32(16, 12, true);
  view.setUint16(20, versionV5, true);
  view.setUint8(22, recordBatch);
  view.setUint32(32, 48 - 32, true);
  shorts(36, 10, 20, 8, 4, 16);
  view.setInt32(48, 12, true);
  view.setUint32(52, nodesAt - 52, true);
  return bytes;
}
