/**
 * Keys of lists of INTERVALs, and intervals in a form in which equal ones differ in letters' case alone. Where a list may stand for an interval, it is
 * the JSON array of intervals, NULLs and such lists.
 */
import { printInterval, readInterval } from './interval.ts';
import { intervalKey, keyLength } from './interval-order.ts';

type Nested = string | null | readonly Nested[];

/** A text that is the same for lists of equal intervals. Never fails. */
export function intervalListKey(list: string): string {
  return mapped(list, intervalKey);
}

/** Bits of a number of months or days with its sign. */
const bits = 32;

/**
 * The interval, or list, in ASCII: equal ones differ only in the case of letters. A recursive query of SQLite compares its rows by itself,
 * and takes no key for them; with its NOCASE it finds these equal. Never fails.
 */
export function packIntervals(value: string): string {
  return isList(value) ? mapped(value, pack) : pack(value);
}

/** The interval or list that was packed. Never fails. */
export function unpackIntervals(packed: string): string {
  return isList(packed) ? mapped(packed, unpack) : unpack(packed);
}

function isList(text: string): boolean {
  return text.startsWith('[');
}

function mapped(list: string, each: (interval: string) => string): string {
  const of = (value: Nested): Nested =>
    value === null ? null : typeof value === 'string' ? each(value) : value.map(of);
  return JSON.stringify(of(JSON.parse(list) as Nested));
}

function pack(interval: string): string {
  const { months, days } = readInterval(interval);
  return intervalKey(interval) + letters(months) + letters(days);
}

function unpack(packed: string): string {
  const months = number(packed.slice(keyLength, keyLength + bits));
  const days = number(packed.slice(keyLength + bits));
  const rest = printInterval({ months, days, microseconds: 0n });
  const length = BigInt(packed.slice(0, keyLength)) - BigInt(intervalKey(rest));
  return printInterval({ months, days, microseconds: length });
}

/** Its bits, the upper case for 1. */
function letters(value: bigint): string {
  return BigInt.asUintN(bits, value).toString(2).padStart(bits, '0').replaceAll('0', 'a').replaceAll('1', 'A');
}
function number(text: string): bigint {
  return BigInt.asIntN(bits, BigInt(`0b${text.replaceAll('a', '0').replaceAll('A', '1')}`));
}
