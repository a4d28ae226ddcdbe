import type { Value } from './type.ts';

/** Approximate sizes in V8: a slot of the list that holds a value, an object's header, and the data behind it. */
const slot = 8;
const head = 24;
const listHead = 64;
const mapHead = 192;
/** Texts up to this length are not examined: they count as two bytes per character. */
const shortText = 64;

/** Approximate bytes of memory that a value takes. Never much too low, so that sums can be trusted. */
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

/** Approximate bytes of a row of a result. */
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

/** Whether V8 stores the text with one byte per character. */
function isNarrow(text: string): boolean {
  return text.length > shortText && !/[^\u0000-\u00ff]/.test(text);
}
