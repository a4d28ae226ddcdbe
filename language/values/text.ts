/**
 * Text functions with PostgreSQL's meaning. Positions and lengths count code points, from 1. Results longer than `textLimit` characters are
 * refused (R0205), so that a short expression cannot take unbounded memory.
 */
import { fail } from '../failure/failure.ts';
import { placesOf, splitAt } from './search.ts';

/** The longest text that REPEAT, LPAD, RPAD and REPLACE make. */
export const textLimit = 1_048_576;

const pairs = /[\ud800-\udbff]/;
/** With the `u` flag only lone surrogates match. */
const unsound = /[\0\ud800-\udfff]/u;

/** False for text that no store can hold: it contains a NUL or a lone surrogate. */
export function isSoundText(text: string): boolean {
  return !unsound.test(text);
}

/** The characters, one per code point; a plain string suffices if each has one unit. */
function characters(text: string): string | readonly string[] {
  return pairs.test(text) ? Array.from(text) : text;
}
function slice(text: string, from: number, to: number): string {
  const points = characters(text);
  return typeof points === 'string' ? points.slice(from, to) : points.slice(from, to).join('');
}
function bounded(name: string, length: number): void {
  if (length > textLimit) {
    throw fail('R0205', { function: name, problem: `the result would be longer than ${textLimit} characters` });
  }
}

export function length(text: string): number {
  return characters(text).length;
}

/** Whether a text has more than `most` characters. */
export function isLongerThan(text: string, most: number): boolean {
  return text.length > most && length(text) > most;
}

/** The text from the position `start` on, which may be below 1. */
export function substringFrom(text: string, start: number): string {
  return slice(text, Math.max(0, start - 1), Infinity);
}
/** The characters at positions `start` to `start + count - 1` that exist. */
export function substring(text: string, start: number, count: number): string {
  if (count < 0) throw fail('R0205', { function: 'SUBSTRING', problem: 'the length must not be negative' });
  return slice(text, Math.max(0, start - 1), Math.max(0, start - 1 + count));
}
/** The first `count` characters; with a negative count all but the last ones. */
export function left(text: string, count: number): string {
  return count >= 0 ? slice(text, 0, count) : slice(text, 0, Math.max(0, length(text) + count));
}
/** The last `count` characters; with a negative count all but the first ones. */
export function right(text: string, count: number): string {
  return count >= 0 ? slice(text, Math.max(0, length(text) - count), Infinity) : slice(text, -count, Infinity);
}

export function padLeft(text: string, width: number, fill: string): string {
  return padding('LPAD', text, width, fill) + left(text, Math.max(0, width));
}
export function padRight(text: string, width: number, fill: string): string {
  return left(text, Math.max(0, width)) + padding('RPAD', text, width, fill);
}
function padding(name: string, text: string, width: number, fill: string): string {
  bounded(name, width);
  const missing = width - length(text);
  if (missing <= 0 || fill === '') return '';
  return slice(fill.repeat(Math.ceil(missing / length(fill))), 0, missing);
}

/** Position of the first occurrence, 0 when there is none, 1 for the empty text. */
export function position(needle: string, text: string): number {
  if (needle === '') return 1;
  const [at] = placesOf(needle, text, 1);
  return at === undefined ? 0 : length(text.slice(0, at)) + 1;
}
export function startsWith(text: string, start: string): boolean {
  return text.startsWith(start);
}

export function replaceAll(text: string, from: string, to: string): string {
  if (from === '') return text;
  const parts = splitAt(from, text);
  bounded('REPLACE', text.length + (parts.length - 1) * Math.max(0, to.length - from.length));
  return parts.join(to);
}

/** The field of that number between delimiters, from 1, or from the end when negative; '' when there is none. */
export function splitPart(text: string, delimiter: string, field: number): string {
  if (field === 0) throw fail('R0205', { function: 'SPLIT_PART', problem: 'the field position must not be zero' });
  const fields = delimiter === '' ? [text] : splitAt(delimiter, text);
  return fields[field > 0 ? field - 1 : fields.length + field] ?? '';
}

export function reverse(text: string): string {
  return Array.from(text).reverse().join('');
}
export function repeat(text: string, times: number): string {
  if (times <= 0 || text === '') return '';
  bounded('REPEAT', text.length * times);
  return text.repeat(times);
}

/** Without the characters of a set at the start. */
export function trimLeft(text: string, set: string): string {
  const strip = new Set(set);
  let from = 0;
  for (const character of text) {
    if (!strip.has(character)) break;
    from += character.length;
  }
  return text.slice(from);
}
/** Without the characters of a set at the end. */
export function trimRight(text: string, set: string): string {
  const strip = new Set(set);
  let to = text.length;
  while (to > 0) {
    const units = pairs.test(text[to - 2] ?? '') ? 2 : 1;
    if (!strip.has(text.slice(to - units, to))) break;
    to -= units;
  }
  return text.slice(0, to);
}
/** Without the characters of a set at both ends. */
export function trim(text: string, set: string): string {
  return trimRight(trimLeft(text, set), set);
}

/** Each text as it is, NULLs left out. */
export function concatenate(...texts: readonly (string | null)[]): string {
  return texts.filter((text) => text !== null).join('');
}
/** `concatenate` with a separator between; NULL when the separator is. */
export function concatenateWith(separator: string, ...texts: readonly (string | null)[]): string;
export function concatenateWith(separator: string | null, ...texts: readonly (string | null)[]): string | null;
export function concatenateWith(separator: string | null, ...texts: readonly (string | null)[]): string | null {
  return separator === null ? null : texts.filter((text) => text !== null).join(separator);
}
