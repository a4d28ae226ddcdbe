/**
 * Binds the values of statements that write. sql.js allocates memory for each text, reads the text twice and frees the
 * memory after the statement, which takes a third of the time of writing an event; here all texts of a statement are
 * written once, into memory that is kept.
 */
import type { MemoryGuard } from './memory-guard.ts';
import type { Bound } from './engine.ts';

/** SQLite's own functions, as the module of sql.js exports them. */
export interface BindingFunctions {
  readonly _malloc: (bytes: number) => number;
  readonly _free: (place: number) => void;
  readonly _sqlite3_bind_text: (statement: number, at: number, place: number, bytes: number, keeps: number) => number;
  readonly _sqlite3_bind_int: (statement: number, at: number, value: number) => number;
  readonly _sqlite3_bind_double: (statement: number, at: number, value: number) => number;
}

/**
 * Binds the values to the parameters of a statement, given its handle; all its parameters are NULL before. The texts
 * are valid until the next call, so the statement must be run and reset before that.
 */
export type Binder = (statement: number, values: readonly Bound[]) => void;

/** First size of the memory for texts, in bytes. */
const firstSize = 64 * 1024;
/** The most bytes of UTF-8 for one unit of UTF-16. */
const bytesOfUnit = 3;

const encoder = new TextEncoder();

export function createBinder(memory: MemoryGuard, functions: BindingFunctions): Binder {
  let [place, size] = [0, 0];
  let bytes = memory.bytes();

  const makeRoom = (wanted: number): void => {
    // An empty text needs an address too: without one it would be NULL.
    if (wanted > size || place === 0) {
      functions._free(place);
      [place, size] = [0, 0];
      const next = Math.max(firstSize, 2 * wanted);
      place = functions._malloc(next);
      if (place === 0) throw new Error('out of memory');
      size = next;
    }
    // The old views of memory are empty after it has grown.
    if (bytes.length === 0) bytes = memory.bytes();
  };

  return (statement, values) => {
    let units = 0;
    for (const value of values) if (typeof value === 'string') units += value.length;
    makeRoom(units * bytesOfUnit);
    let start = place;
    for (let at = 0; at < values.length; at++) {
      const value = values[at];
      if (typeof value === 'string') {
        const length = writeText(bytes, start, value);
        check(functions._sqlite3_bind_text(statement, at + 1, start, length, 0));
        start += length;
      } else if (typeof value === 'number') {
        const isInt = value === (value | 0);
        const bind = isInt ? functions._sqlite3_bind_int : functions._sqlite3_bind_double;
        check(bind(statement, at + 1, value));
      }
    }
  };
}

/** Writes a text as UTF-8; gives its length in bytes. A native call costs more than the loop over a short text. */
function writeText(bytes: Uint8Array, start: number, text: string): number {
  const { length } = text;
  if (length > 200) return encoder.encodeInto(text, bytes.subarray(start)).written;
  for (let at = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 0x7f) return encoder.encodeInto(text, bytes.subarray(start)).written;
    bytes[start + at] = unit;
  }
  return length;
}

function check(code: number): void {
  if (code !== 0)
    throw new Error(code === tooBig ? 'string or blob too big' : `a value cannot be bound (code ${code})`);
}

const tooBig = 18;
