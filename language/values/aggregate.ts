/**
 * Exact sums and averages from the results of an engine's own aggregates: the sums of the high and of the low nine digits of 64-bit
 * integers, or the list of all values. Rounding is half away from zero; a result that does not fit fails with R0202.
 */
import { fail } from '../failure/failure.ts';
import { divideRounded, fitDecimal, powerOfTen } from './decimal.ts';
import { fitBigint } from './integer.ts';

/** A value is split as `high × 10^9 + low`, both with its sign. */
const split = 1_000_000_000n;

/** `precision` 0 is BIGINT. */
function fitSum(sum: bigint, precision: number, scale: number): bigint {
  return precision === 0 ? fitBigint(sum, 'SUM') : fitDecimal(sum, precision, scale, 'SUM');
}

/** An average has 18 digits, `scale` of them after the point; the sum's own scale is less by `raised`. */
function averageOf(sum: bigint, count: bigint, raised: number, scale: number): bigint {
  return fitDecimal(divideRounded(sum * powerOfTen(raised), count), 18, scale, 'AVG');
}

export function sumOfHalves(high: bigint | null, low: bigint | null, precision: number, scale: number): bigint | null {
  return high === null || low === null ? null : fitSum(high * split + low, precision, scale);
}

export function averageOfHalves(
  high: bigint | null,
  low: bigint | null,
  count: number,
  raised: number,
  scale: number,
): bigint | null {
  return high === null || low === null ? null : averageOf(high * split + low, BigInt(count), raised, scale);
}

/** `values`: integers joined by commas. */
export function sumOfList(values: string | null, precision: number, scale: number): bigint | null {
  return values === null ? null : fitSum(total(integers(values)), precision, scale);
}

export function averageOfList(values: string | null, raised: number, scale: number): bigint | null {
  if (values === null) return null;
  const list = integers(values);
  return averageOf(total(list), BigInt(list.length), raised, scale);
}

function integers(values: string): readonly bigint[] {
  return values.split(',').map(BigInt);
}

function total(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n);
}

/** The texts of a JSON array joined, NULLs left out; NULL when none is left. A NULL separator is empty. */
export function joinTexts(list: string | null, separator: string | null): string | null {
  if (list === null) return null;
  const texts = (JSON.parse(list) as readonly (string | null)[]).filter((text) => text !== null);
  return texts.length === 0 ? null : texts.join(separator ?? '');
}

/** For a subquery used as a value. */
export function severalRows(): never {
  throw fail('R0208', {});
}

/** Values of a subquery of a clause about rows, which belong to a caller and are read for each answer. */
export const mostValues = 10_000;

/** For a subquery of such a clause with more values. */
export function tooManyValues(): never {
  throw fail('R0301', { what: 'rows', limit: String(mostValues) });
}
