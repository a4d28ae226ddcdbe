/** Sums and means of generated folds: exact while events are added, checked against the type when they are read. */
import { divideRounded, fitDecimal, powerOfTen } from '../../language/values/decimal.ts';
import { addDouble, fitDouble } from '../../language/values/double.ts';
import { fitBigint } from '../../language/values/integer.ts';

/** Adds INT, BIGINT and DECIMAL values; NULLs do not count. */
export function addToSum(sum: bigint | null, value: number | bigint | null): bigint | null {
  return value === null ? sum : (sum ?? 0n) + BigInt(value);
}
/** A sum of DOUBLEs with the error of its rounding (Neumaier), computed as SQLite's SUM does. */
export interface DoubleSum {
  total: number;
  lost: number;
}

export function addToDoubleSum(sum: DoubleSum | null, value: number | null): DoubleSum | null {
  if (value === null) return sum;
  const { total, lost } = sum ?? { total: 0, lost: 0 };
  const next = addDouble(total, value);
  const rounded = Math.abs(total) > Math.abs(value) ? total - next + value : value - next + total;
  return { total: next, lost: lost + rounded };
}
export function doubleSum(sum: DoubleSum | null): number | null {
  return sum === null ? null : addDouble(sum.total, sum.lost);
}

export function bigintSum(sum: bigint | null): bigint | null {
  return sum === null ? null : fitBigint(sum, 'SUM');
}
export function decimalSum(sum: bigint | null, scale: number): bigint | null {
  return sum === null ? null : fitDecimal(sum, 18, scale, 'SUM');
}

/** With `raised` more fraction digits than the sum; rounded half away from zero. */
export function decimalMean(sum: bigint | null, count: bigint, raised: number, scale: number): bigint | null {
  return sum === null ? null : fitDecimal(divideRounded(sum * powerOfTen(raised), count), 18, scale, 'AVG');
}
export function doubleMean(sum: DoubleSum | null, count: bigint): number | null {
  return sum === null ? null : fitDouble(addDouble(sum.total, sum.lost) / Number(count));
}

/** Sums of INTERVALs, exact and of any size until they are read. */
export { addToIntervalSum, intervalMean, intervalSum } from '../../language/values/interval-sum.ts';
