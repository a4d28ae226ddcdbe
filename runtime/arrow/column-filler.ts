import type { StructField, Type, Value } from '../../language/values/type.ts';
import { beginColumn } from './presence.ts';
import type { BatchParts } from './record-batch.ts';
import { textBuffers } from './text-buffers.ts';
import { zeroed } from './zeroed.ts';

/** Adds the values of one column of one batch to the parts of the batch. */
export type ColumnFiller = (values: readonly Value[], into: BatchParts) => void;

/**
 * A filler made once for the type of a column. Buffers are filled by hand: the library's own builders need one object
 * for each value, and reject bigints where exactness needs them.
 */
export function columnFiller(type: Type): ColumnFiller {
  switch (type.kind) {
    case 'STRING':
    case 'UUID':
    case 'INTERVAL':
    case 'JSON':
    case 'NULL':
      return fillTexts;
    case 'INT':
    case 'DATE':
      return numberFiller(4, ({ buffer, byteOffset }, length) => new Int32Array(buffer, byteOffset, length));
    case 'DOUBLE':
      return numberFiller(8, ({ buffer, byteOffset }, length) => new Float64Array(buffer, byteOffset, length));
    case 'BIGINT':
    case 'TIMESTAMP':
    case 'WALL':
      return fillBigints;
    case 'DECIMAL':
      return fillDecimals;
    case 'BOOLEAN':
      return fillBooleans;
    case 'LIST':
      return listFiller(columnFiller(type.of));
    case 'STRUCT':
      return structFiller(type.fields);
  }
}

// The casts state what `values/type.ts` promises about the values of a type; nothing else fills these columns.

function fillTexts(values: readonly Value[], into: BatchParts): void {
  beginColumn(values, into);
  const { offsets, bytes } = textBuffers(values as readonly (string | null)[]);
  into.buffers.push(bytesOf(offsets), bytes);
}

function numberFiller(
  width: number,
  view: (memory: ReturnType<typeof zeroed>, length: number) => Int32Array | Float64Array,
): ColumnFiller {
  return (values, into) => {
    beginColumn(values, into);
    const data = view(zeroed(width * values.length), values.length);
    for (let at = 0; at < values.length; at++) {
      const value = values[at] as number | null;
      if (value !== null) data[at] = value;
    }
    into.buffers.push(bytesOf(data));
  };
}

function fillBigints(values: readonly Value[], into: BatchParts): void {
  beginColumn(values, into);
  const { buffer, byteOffset } = zeroed(8 * values.length);
  const data = new BigInt64Array(buffer, byteOffset, values.length);
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as bigint | null;
    if (value !== null) data[at] = value;
  }
  into.buffers.push(bytesOf(data));
}

/** 128-bit two's complement, low word first; a bigint assigned to a 64-bit element keeps its low 64 bits. */
function fillDecimals(values: readonly Value[], into: BatchParts): void {
  beginColumn(values, into);
  const words = new BigInt64Array(values.length * 2);
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as bigint | null;
    if (value === null) continue;
    words[2 * at] = value;
    words[2 * at + 1] = value >> 64n;
  }
  into.buffers.push(bytesOf(words));
}

function fillBooleans(values: readonly Value[], into: BatchParts): void {
  beginColumn(values, into);
  const data = new Uint8Array((values.length + 7) >> 3);
  for (let at = 0; at < values.length; at++) {
    if (values[at] === true) data[at >> 3] = (data[at >> 3] ?? 0) | (1 << (at & 7));
  }
  into.buffers.push(data);
}

function listFiller(items: ColumnFiller): ColumnFiller {
  return (values, into) => {
    beginColumn(values, into);
    const offsets = new Int32Array(values.length + 1);
    const flat: Value[] = [];
    for (let at = 0; at < values.length; at++) {
      const list = values[at] as readonly Value[] | null;
      if (list !== null) for (const item of list) flat.push(item);
      offsets[at + 1] = flat.length;
    }
    into.buffers.push(bytesOf(offsets));
    items(flat, into);
  };
}

/** A field that a struct's map lacks is NULL. */
function structFiller(fields: readonly StructField[]): ColumnFiller {
  const members = fields.map((field) => ({ name: field.name, fill: columnFiller(field.type) }));
  return (values, into) => {
    beginColumn(values, into);
    const structs = values as readonly (ReadonlyMap<string, Value> | null)[];
    for (const { name, fill } of members) {
      fill(
        structs.map((struct) => struct?.get(name) ?? null),
        into,
      );
    }
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
