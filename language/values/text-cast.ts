/**
 * CASTs from text (docs/language.md#types, PostgreSQL's rules otherwise): surrounding blanks are ignored; text that is not a value of the
 * type is R0204, a number out of its range R0202.
 */
import { fail } from '../failure/failure.ts';
import { parseDate } from './date.ts';
import { fitDecimal, parseDecimal, rescale } from './decimal.ts';
import { fitDouble } from './double.ts';
import { fitBigint, fitInt } from './integer.ts';
import { parseInterval } from './interval-text.ts';
import { printInterval } from './interval.ts';
import { parseJson, storedJsonLimits } from './json-parse.ts';
import { writeJsonValue } from './json-write.ts';
import { parseTimestamp } from './timestamp.ts';
import { length } from './text.ts';
import { typeName, type Type } from './type.ts';

const blanks = ' \t\n\r\f\v';

/** In one pass from each end: a pattern for blanks at the end begins again at each blank inside. */
function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && blanks.includes(text.charAt(from))) from++;
  while (to > from && blanks.includes(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

/** No message quotes the text: it may be sensitive. */
function noValue(kind: Type['kind']): never {
  throw fail('R0204', { what: 'the text', type: kind });
}

function textToWhole(text: string, kind: 'INT' | 'BIGINT'): bigint {
  const digits = trimmed(text);
  if (!/^[+-]?\d+$/.test(digits)) noValue(kind);
  return parseDecimal(digits)?.unscaled ?? noValue(kind);
}
export function textToInt(text: string, where = ''): number {
  return fitInt(Number(textToWhole(text, 'INT')), where);
}
export function textToBigint(text: string, where = ''): bigint {
  return fitBigint(textToWhole(text, 'BIGINT'), where);
}
/** Rounded half away from zero to the scale. */
export function textToDecimal(text: string, precision: number, scale: number, where = ''): bigint {
  const written = parseDecimal(trimmed(text)) ?? noValue('DECIMAL');
  return fitDecimal(rescale(written.unscaled, written.scale, scale), precision, scale, where);
}
export function textToDouble(text: string, where = ''): number {
  const number = trimmed(text);
  if (parseDecimal(number) === undefined) noValue('DOUBLE');
  return fitDouble(Number(number), where);
}

const truths = ['true', 'yes', 'on', '1'];
const untruths = ['false', 'no', 'off', '0'];

/** Any unambiguous prefix of a word: `t`, `fal`, `y`, `of`. */
export function textToBoolean(text: string): boolean {
  const word = trimmed(text).toLowerCase();
  if (word === '' || word === 'o') noValue('BOOLEAN');
  if (truths.some((known) => known.startsWith(word))) return true;
  return untruths.some((known) => known.startsWith(word)) ? false : noValue('BOOLEAN');
}
export function textToTimestamp(text: string): bigint {
  return parseTimestamp(trimmed(text)) ?? noValue('TIMESTAMP');
}
/** The day as written in a timestamp's text. */
export function textToDate(text: string): number {
  const written = trimmed(text);
  const day = parseDate(written.slice(0, 10));
  if (day === undefined || (written.length > 10 && parseTimestamp(written) === undefined)) noValue('DATE');
  return day;
}
export function textToInterval(text: string): string {
  const interval = parseInterval(trimmed(text));
  return interval === undefined ? noValue('INTERVAL') : printInterval(interval);
}
/** Canonical text of the JSON value. */
export function textToJson(text: string): string {
  const parsed = parseJson(text, storedJsonLimits);
  return parsed.problem === undefined ? writeJsonValue(parsed.value) : noValue('JSON');
}

/** The first `limit` characters, as an explicit CAST to VARCHAR(n) takes them. */
export function cutText(text: string, limit: number): string {
  return text.length <= limit ? text : Array.from(text).slice(0, limit).join('');
}
/**
 * The text itself when it is among the values of an ENUM, a JSON array of them, else R0204. Nothing else is taken: neither another case nor blanks
 * around it.
 */
export function fitEnum(text: string, name: string, values: string, where: string): string {
  if (valuesOf(values).has(text)) return text;
  throw fail('R0204', { what: where === '' ? 'the text' : `the text for ${where}`, type: name });
}

const enums = new Map<string, ReadonlySet<string>>();
/** Present in one registry are far fewer; the bound is for a server whose registry changes for years. */
const mostEnums = 10_000;

function valuesOf(values: string): ReadonlySet<string> {
  const known = enums.get(values);
  if (known !== undefined) return known;
  if (enums.size >= mostEnums) enums.clear();
  const parsed = new Set(JSON.parse(values) as readonly string[]); // written by the compiler
  enums.set(values, parsed);
  return parsed;
}

/** The text itself when it has at most `limit` characters, else R0202. */
export function fitText(text: string, limit: number, where: string): string {
  if (text.length <= limit || length(text) <= limit) return text;
  throw fail('R0202', { type: typeName({ kind: 'STRING', length: limit }), where });
}
