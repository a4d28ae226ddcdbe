/**
 * CASTs between numeric types, and of dates. Decimals round half away from zero; a value that does not fit is R0202, naming the field if
 * there is one.
 */
import { fitDecimal, parseDecimal, powerOfTen, printDecimal, rescale } from './decimal.ts';
import { fitDouble, roundDouble } from './double.ts';
import { fitBigint, fitInt } from './integer.ts';

export function decimalToInt(a: bigint, scale: number, where = ''): number {
  return fitInt(Number(rescale(a, scale, 0)), where);
}
export function decimalToBigint(a: bigint, scale: number, where = ''): bigint {
  return fitBigint(rescale(a, scale, 0), where);
}
export function decimalToDecimal(a: bigint, from: number, precision: number, scale: number, where = ''): bigint {
  return fitDecimal(rescale(a, from, scale), precision, scale, where);
}
/** The DOUBLE nearest to the exact value. */
export function decimalToDouble(a: bigint, scale: number): number {
  return Number(printDecimal(a, scale));
}
export function intToDecimal(a: number, precision: number, scale: number, where = ''): bigint {
  return bigintToDecimal(BigInt(a), precision, scale, where);
}
export function bigintToDecimal(a: bigint, precision: number, scale: number, where = ''): bigint {
  return fitDecimal(a * powerOfTen(scale), precision, scale, where);
}
/** Halves go to the even neighbour, as in PostgreSQL. */
export function doubleToInt(a: number, where = ''): number {
  return fitInt(roundDouble(a), where);
}
/** By the number's first 15 significant digits, which a DOUBLE always holds, as in PostgreSQL. */
export function doubleToDecimal(a: number, precision: number, scale: number, where = ''): bigint {
  const written = parseDecimal(fitDouble(a).toPrecision(15)) ?? { unscaled: 0n, scale: 0 };
  return fitDecimal(rescale(written.unscaled, written.scale, scale), precision, scale, where);
}
