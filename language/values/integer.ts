/** Checked INT (number, 32 bits) and BIGINT (bigint, 64 bits) arithmetic: `/` and `%` truncate, overflow is R0202, division by zero R0201. */
import { fail } from '../failure/failure.ts';

export const intMin = -2147483648;
export const intMax = 2147483647;
export const bigintMin = -9223372036854775808n;
export const bigintMax = 9223372036854775807n;

/** The number itself when it is in the range of INT, else R0202. It must be whole. */
export function fitInt(value: number, where = ''): number {
  if (value >= intMin && value <= intMax) return value;
  throw fail('R0202', { type: 'INT', where });
}

/** The value itself when it is in the range of BIGINT, else R0202. */
export function fitBigint(value: bigint, where = ''): bigint {
  if (value >= bigintMin && value <= bigintMax) return value;
  throw fail('R0202', { type: 'BIGINT', where });
}

export function narrowBigint(value: bigint, where = ''): number {
  return fitInt(Number(value), where);
}

export function addInt(a: number, b: number): number {
  return fitInt(a + b);
}
export function subtractInt(a: number, b: number): number {
  return fitInt(a - b);
}
/** Products up to 2^62 are rounded as numbers, but never into the range of INT. */
export function multiplyInt(a: number, b: number): number {
  return withoutNegativeZero(fitInt(a * b));
}
export function divideInt(a: number, b: number): number {
  if (b === 0) throw fail('R0201', { where: '' });
  return withoutNegativeZero(fitInt(Math.trunc(a / b)));
}
export function moduloInt(a: number, b: number): number {
  if (b === 0) throw fail('R0201', { where: '' });
  return withoutNegativeZero(a % b);
}
export function negateInt(a: number): number {
  return withoutNegativeZero(fitInt(-a));
}
export function absInt(a: number): number {
  return fitInt(Math.abs(a));
}

function withoutNegativeZero(value: number): number {
  return value === 0 ? 0 : value;
}

export function addBigint(a: bigint, b: bigint): bigint {
  return fitBigint(a + b);
}
export function subtractBigint(a: bigint, b: bigint): bigint {
  return fitBigint(a - b);
}
export function multiplyBigint(a: bigint, b: bigint): bigint {
  return fitBigint(a * b);
}
export function divideBigint(a: bigint, b: bigint): bigint {
  if (b === 0n) throw fail('R0201', { where: '' });
  return fitBigint(a / b);
}
export function moduloBigint(a: bigint, b: bigint): bigint {
  if (b === 0n) throw fail('R0201', { where: '' });
  return a % b;
}
export function negateBigint(a: bigint): bigint {
  return fitBigint(-a);
}
export function absBigint(a: bigint): bigint {
  return fitBigint(a < 0n ? -a : a);
}
