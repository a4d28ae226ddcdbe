import type { StructField, Type, Value } from '../../language/values/type.ts';
import type { BatchParts } from './record-batch.ts';
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

const none = new Uint8Array(0);

/**
 * Starts a column: its node, and a bit for each value that is set when it is not NULL; no bits when no value is NULL.
 */
function beginColumn(values: readonly Value[], into: BatchParts): void {
  let nullCount = 0;
  for (const value of values) if (value === null) nullCount++;
  into.nodes.push(values.length, nullCount);
  into.buffers.push(nullCount === 0 ? none : presence(values));
}

function presence(values: readonly Value[]): Uint8Array {
  const bits = new Uint8Array((values.length + 7) >> 3);
  for (let at = 0; at < values.length; at++) {
    if (values[at] !== null) bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
  }
  return bits;
}

/**
 * The bytes of many texts and the end of each. One native call encodes all of them; only when a text is not ASCII are
 * they encoded one by one, because then the length of a text does not say how many bytes it has.
 */
function textBuffers(values: readonly (string | null)[]): { offsets: Int32Array; bytes: Uint8Array } {
  const { buffer, byteOffset } = zeroed(4 * (values.length + 1));
  const offsets = new Int32Array(buffer, byteOffset, values.length + 1);
  let end = 0;
  for (let at = 0; at < values.length; at++) {
    end += values[at]?.length ?? 0;
    offsets[at + 1] = end;
  }
  // `join` writes nothing for a NULL.
  const bytes = Buffer.from(values.join(''), 'utf8');
  return bytes.length === end ? { offsets, bytes } : oneByOne(values, bytes.length, offsets);
}

/**
 * `estimate` can be too small when halves of a surrogate pair met in the joined text; each half alone takes three
 * bytes.
 */
function oneByOne(
  values: readonly (string | null)[],
  estimate: number,
  offsets: Int32Array,
): ReturnType<typeof textBuffers> {
  let total = 0;
  for (const value of values) if (value !== null) total += Buffer.byteLength(value);
  const bytes = Buffer.allocUnsafe(Math.max(total, estimate));
  let end = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (value !== null && value !== undefined) end += bytes.write(value, end);
    offsets[at + 1] = end;
  }
  return { offsets, bytes: bytes.subarray(0, end) };
}
