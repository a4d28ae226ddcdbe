import type { Value } from './type.ts';

/** About what V8 takes: a slot of the list that holds a value, a head of each object, and what stands behind it. */
const slot = 8;
const head = 24;
const listHead = 64;
const mapHead = 192;
/** Texts up to this length are not looked through: they count as if each character took two bytes. */
const shortText = 64;

/** About how many bytes of memory a value takes where it is held. Never much less than it does, so that sums of it may be trusted. */
export function valueBytes(value: Value): number {
  switch (typeof value) {
    case 'string':
      return slot + head + value.length * (isNarrow(value) ? 1 : 2);
    case 'number':
    case 'bigint':
      return slot + head;
    case 'object':
      return value === null ? slot : partsBytes(value);
    default:
      return slot;
  }
}

/** The same of a row of a result. */
export function rowBytes(row: readonly Value[]): number {
  let bytes = listHead;
  for (const value of row) bytes += valueBytes(value);
  return bytes;
}

function partsBytes(value: Exclude<Value, null | string | number | bigint | boolean>): number {
  if (!(value instanceof Map)) return rowBytes(value as readonly Value[]); // a list
  let bytes = mapHead;
  for (const part of (value as ReadonlyMap<string, Value>).values()) bytes += 3 * slot + valueBytes(part);
  return bytes;
}

/** Whether V8 keeps the text in one byte a character. */
function isNarrow(text: string): boolean {
  return text.length > shortText && !/[^\u0000-\u00ff]/.test(text);
}
