/** Rows by column to JSON objects, byte for byte as `jsonObjects` writes the same rows, without making values of them. */
import type { ColumnBatch, ColumnBytes } from '../../../language/contract/column-bytes.ts';
import type { Column } from '../../../language/contract/query.ts';
import { printDate } from '../../../language/values/date.ts';
import { printDecimal } from '../../../language/values/decimal.ts';
import { printDouble } from '../../../language/values/double.ts';
import { printTimestamp } from '../../../language/values/timestamp.ts';
import type { Type } from '../../../language/values/type.ts';
import { makeRoom, writeAscii, writeBytes, writeDigits, type ByteSink } from './byte-sink.ts';
import { refuseRepeatedNames } from './column-names.ts';

/** Writes one row of a batch. */
export type WriteRow = (sink: ByteSink, row: number) => void;

/** Knows the type of each row's event, and with it the fields of a STRUCT. */
export interface EventTypes {
  readonly type: (row: number) => string;
  readonly fieldsOf: (eventType: string) => ReadonlySet<string> | undefined;
}

/** A STRUCT is a BOOLEAN that says whether it exists, followed by its fields (`leavesOf`). Columns of the batch behind those are not written. */
export function columnObjects(columns: readonly Column[], types: EventTypes): (batch: ColumnBatch) => WriteRow {
  refuseRepeatedNames(columns);
  return (batch) => {
    let next = 0;
    const take = (): ColumnBytes => {
      const bytes = batch.columns[next];
      if (bytes === undefined) throw new Error(`a batch has ${batch.columns.length} columns, more were asked for`);
      next += 1;
      return bytes;
    };
    const members = columns.map(({ name, type: of }, at): WriteRow => {
      const key = keyOf(name, at === 0);
      const cell = of.kind === 'STRUCT' ? structWriter(take(), of.fields, take, types) : cellWriter(take(), of);
      return (sink, row) => {
        makeRoom(sink, key.length);
        writeBytes(sink, key, 0, key.length);
        cell(sink, row);
      };
    });
    return (sink, row) => {
      makeRoom(sink, 1);
      sink.bytes[sink.end++] = openBrace;
      for (const member of members) member(sink, row);
      makeRoom(sink, 1);
      sink.bytes[sink.end++] = closeBrace;
    };
  };
}

const [openBrace, closeBrace, quote, backslash, minus] = [0x7b, 0x7d, 0x22, 0x5c, 0x2d];
const space = 0x20;
/** Room for any number, time or word. */
const anyNumber = 64;

function keyOf(name: string, isFirst: boolean): Uint8Array {
  return Buffer.from(`${isFirst ? '' : ','}${JSON.stringify(name)}:`);
}

/** An object with the fields that an event of the row's type has, in the order of the STRUCT. */
function structWriter(
  { buffers: [isThere = none] }: ColumnBytes,
  fields: readonly { readonly name: string; readonly type: Type }[],
  take: () => ColumnBytes,
  { type, fieldsOf }: EventTypes,
): WriteRow {
  const cells = fields.map((field) => ({ name: field.name, write: cellWriter(take(), field.type) }));
  const byType = new Map<string, readonly { readonly key: Uint8Array; readonly write: WriteRow }[]>();
  const membersOf = (eventType: string) => {
    const known = byType.get(eventType);
    if (known !== undefined) return known;
    const names = fieldsOf(eventType);
    if (names === undefined) throw new Error(`event ${eventType} has a payload and no definition`);
    const own = cells.filter(({ name }) => names.has(name));
    const made = own.map(({ name, write }, at) => ({ key: keyOf(name, at === 0), write }));
    byType.set(eventType, made);
    return made;
  };
  return (sink, row) => {
    makeRoom(sink, anyNumber);
    if (!isSet(isThere, row)) {
      writeAscii(sink, 'null');
      return;
    }
    sink.bytes[sink.end++] = openBrace;
    for (const { key, write } of membersOf(type(row))) {
      makeRoom(sink, key.length);
      writeBytes(sink, key, 0, key.length);
      write(sink, row);
    }
    makeRoom(sink, 1);
    sink.bytes[sink.end++] = closeBrace;
  };
}

const none = new Uint8Array(0);

function isSet(bits: Uint8Array, row: number): boolean {
  return (((bits[row >> 3] ?? 0) >> (row & 7)) & 1) === 1;
}

function cellWriter(bytes: ColumnBytes, type: Type): WriteRow {
  const { nulls, present } = bytes;
  const write = valueWriter(bytes, type);
  if (nulls === 0) return write;
  return (sink, row) => {
    if (isSet(present, row)) write(sink, row);
    else {
      makeRoom(sink, anyNumber);
      writeAscii(sink, 'null');
    }
  };
}

function valueWriter({ buffers }: ColumnBytes, type: Type): WriteRow {
  const [first = none, second = none] = buffers;
  switch (type.kind) {
    case 'JSON':
      return textWriter(first, second, false);
    case 'INT': {
      const values = new Int32Array(first.buffer, first.byteOffset, first.length / 4);
      return roomy((sink, row) => writeWhole(sink, values[row] ?? 0));
    }
    case 'DATE': {
      const values = new Int32Array(first.buffer, first.byteOffset, first.length / 4);
      return roomy((sink, row) => writeAscii(sink, `"${printDate(values[row] ?? 0)}"`));
    }
    case 'DOUBLE': {
      const values = new Float64Array(first.buffer, first.byteOffset, first.length / 8);
      return roomy((sink, row) => writeAscii(sink, printDouble(values[row] ?? 0)));
    }
    case 'BIGINT': {
      const words = longs(first, 2);
      return roomy((sink, row) => {
        const value = words.number(row);
        if (value !== undefined) writeWhole(sink, value);
        else writeAscii(sink, `"${words.bigint(row)}"`);
      });
    }
    case 'TIMESTAMP':
    case 'WALL':
      return roomy(timeWriter(first, type.kind === 'WALL'));
    case 'DECIMAL': {
      const words = longs(first, 4);
      const { scale, bare } = type;
      return roomy((sink, row) => writeAscii(sink, printDecimal(words.bigint(row), scale, bare)));
    }
    case 'BOOLEAN':
      return roomy((sink, row) => writeAscii(sink, isSet(first, row) ? 'true' : 'false'));
    case 'LIST':
    case 'STRUCT':
      throw new Error(`a ${type.kind} has no form as bytes`);
    default:
      return textWriter(first, second, true);
  }
}

function roomy(write: WriteRow): WriteRow {
  return (sink, row) => {
    makeRoom(sink, anyNumber);
    write(sink, row);
  };
}

function offsetsOf(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

/** The whole numbers of a BIGINT column that numbers have exactly. */
export function wholeAt(column: ColumnBytes | undefined): (row: number) => number {
  const words = longs(column?.buffers[0] ?? none, 2);
  return (row) => words.number(row) ?? Number.NaN;
}

/** The texts of a column, of which many in a row are the same. */
export function textAt(column: ColumnBytes | undefined): (row: number) => string {
  const [first = none, texts = none] = column?.buffers ?? [];
  const offsets = offsetsOf(first);
  let [start, end, before] = [0, 0, ''];
  return (row) => {
    const [from, to] = [offsets[row] ?? 0, offsets[row + 1] ?? 0];
    let isSame = to - from === end - start && before !== '';
    for (let at = 0; isSame && at < to - from; at += 1) isSame = texts[from + at] === texts[start + at];
    if (!isSame) before = Buffer.from(texts.buffer, texts.byteOffset + from, to - from).toString();
    [start, end] = [from, to];
    return before;
  };
}

/** `isString`: as a string of JSON, with what JSON escapes; else the text is JSON. */
function textWriter(first: Uint8Array, texts: Uint8Array, isString: boolean): WriteRow {
  const offsets = offsetsOf(first);
  if (!isString)
    return (sink, row) => {
      const [from, to] = [offsets[row] ?? 0, offsets[row + 1] ?? 0];
      makeRoom(sink, to - from);
      writeBytes(sink, texts, from, to);
    };
  return (sink, row) => {
    const from = offsets[row] ?? 0;
    const to = offsets[row + 1] ?? 0;
    makeRoom(sink, to - from + 2);
    const { bytes } = sink;
    let end = sink.end;
    bytes[end++] = quote;
    for (let at = from; at < to; at += 1) {
      const byte = texts[at] as number; // within the column
      if (byte < space || byte === quote || byte === backslash) {
        writeEscaped(sink, texts, from, to);
        return;
      }
      bytes[end++] = byte;
    }
    bytes[end++] = quote;
    sink.end = end;
  };
}

function writeEscaped(sink: ByteSink, texts: Uint8Array, from: number, to: number): void {
  const escaped = Buffer.from(JSON.stringify(Buffer.from(texts.buffer, texts.byteOffset + from, to - from).toString()));
  makeRoom(sink, escaped.length);
  writeBytes(sink, escaped, 0, escaped.length);
}

/** Integers of 64 bits, the low half first; a row has `perRow` words. */
function longs(
  bytes: Uint8Array,
  perRow: number,
): { readonly number: (row: number) => number | undefined; readonly bigint: (row: number) => bigint } {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const high = (row: number): number => words[perRow * row + 1] ?? 0;
  const low = (row: number): number => (words[perRow * row] ?? 0) >>> 0;
  return {
    /** Undefined for one that no number has exactly. */
    number: (row) => {
      const value = high(row) * 2 ** 32 + low(row);
      return Number.isSafeInteger(value) ? value : undefined;
    },
    bigint: (row) => (BigInt(high(row)) << 32n) | BigInt(low(row)),
  };
}

function writeWhole(sink: ByteSink, value: number): void {
  if (value < 0) sink.bytes[sink.end++] = minus;
  writeDigits(sink, Math.abs(value));
}

/** `2026-03-01T00:00:00.` */
const wholeSeconds = 20;
const microseconds = 1_000_000;

/** Times of one second have their first part in common, and events that follow each other are close. */
function timeWriter(bytes: Uint8Array, isWall: boolean): WriteRow {
  const words = longs(bytes, 2);
  let second = Number.NaN;
  let before = '';
  return (sink, row) => {
    const value = words.number(row);
    if (value === undefined || value < 0) {
      const printed = printTimestamp(words.bigint(row));
      writeAscii(sink, `"${isWall ? printed.slice(0, -1) : printed}"`);
      return;
    }
    const seconds = Math.floor(value / microseconds);
    if (seconds !== second) {
      second = seconds;
      before = `"${printTimestamp(BigInt(seconds * microseconds)).slice(0, wholeSeconds)}`;
    }
    writeAscii(sink, before);
    writeDigits(sink, value - seconds * microseconds, 6);
    writeAscii(sink, isWall ? '"' : 'Z"');
  };
}
