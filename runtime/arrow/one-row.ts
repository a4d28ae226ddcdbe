/**
 * Encodes a single row of texts and whole numbers as a whole Arrow IPC stream, the form of the answer to a command. Everything but the
 * row's own bytes, lengths and NULLs is the same each time, so it is copied from a template made once; buffers of columns would take
 * several objects each.
 */
import type { Column } from '../../language/contract/query.ts';
import type { Row } from '../store/store.ts';
import { endMark, recordBatchBytes, recordBatchPlaces, writeRecordBatch } from './record-batch.ts';

/** Undefined where a column is of another type. `schema` is what the stream begins with. */
export function oneRowEncoder(columns: readonly Column[], schema: Uint8Array): ((row: Row) => Uint8Array) | undefined {
  const isNumber = columns.map(({ type }) => type.kind === 'BIGINT');
  const kinds = ['BIGINT', 'STRING', 'UUID', 'JSON'];
  if (!columns.every(({ type }) => kinds.includes(type.kind))) return undefined;
  const template = templateOf(isNumber, schema);
  const places = recordBatchPlaces(columns.length);
  /** Bytes of each text of the row that is being written; a row is written in one go. */
  const lengths = columns.map(() => 0);

  return (row) => {
    let body = 0;
    for (let at = 0; at < columns.length; at++) {
      const value = row[at] ?? null;
      const length = typeof value === 'string' ? bytesOf(value) : 0;
      lengths[at] = length;
      // Presence, if it is NULL; the number or the two ends of the text; the text.
      body += (value === null ? 8 : 0) + 8 + padded(length);
    }
    const bytes = Buffer.allocUnsafe(template.length + body + endMark.length);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    bytes.set(template);
    const head = schema.length;
    view.setUint32(head + places.bodyLength, body, true);
    const start = template.length;
    let [offset, buffer] = [0, 0];
    /** Names the next buffer; gives its place. */
    const begin = (length: number): number => {
      const place = head + places.buffers + 16 * buffer;
      view.setUint32(place, offset, true);
      view.setUint32(place + 8, length, true);
      buffer += 1;
      const found = start + offset;
      offset += padded(length);
      return found;
    };
    for (let at = 0; at < columns.length; at++) {
      const value = row[at] ?? null;
      const isNull = value === null;
      if (isNull) view.setUint32(head + places.nodes + 16 * at + 8, 1, true);
      const present = begin(isNull ? 1 : 0);
      if (isNull) bytes.fill(0, present, present + 8);
      const own = begin(8);
      if (isNumber[at] === true) {
        view.setBigInt64(own, typeof value === 'bigint' ? value : 0n, true);
        continue;
      }
      const length = lengths[at] ?? 0;
      view.setUint32(own, 0, true);
      view.setUint32(own + 4, length, true);
      const text = begin(length);
      if (typeof value === 'string') writeText(bytes, text, value, length);
      for (let rest = text + length; rest < text + padded(length); rest++) bytes[rest] = 0;
    }
    bytes.set(endMark, start + body);
    return bytes;
  };
}

/** Schema and head of a batch of one row in which nothing is NULL and all texts are empty. */
function templateOf(isNumber: readonly boolean[], schema: Uint8Array): Uint8Array {
  const none = new Uint8Array(0);
  const parts = {
    nodes: isNumber.flatMap(() => [1, 0]),
    buffers: isNumber.flatMap((whole) => (whole ? [none, new Uint8Array(8)] : [none, new Uint8Array(8), none])),
  };
  const batch = new Uint8Array(recordBatchBytes(parts));
  writeRecordBatch(batch, 0, 1, parts);
  const body = 8 * isNumber.length;
  return Buffer.concat([schema, batch.subarray(0, batch.length - body)]);
}

function padded(bytes: number): number {
  return (bytes + 7) & ~7;
}

/** Longer texts are worth a native call. */
const shortText = 128;

function bytesOf(text: string): number {
  if (text.length > shortText) return Buffer.byteLength(text);
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return Buffer.byteLength(text);
  return text.length;
}

function writeText(into: Buffer, start: number, text: string, length: number): void {
  if (text.length > shortText || length !== text.length) {
    into.write(text, start, length, 'utf8');
    return;
  }
  for (let at = 0; at < length; at++) into[start + at] = text.charCodeAt(at);
}
