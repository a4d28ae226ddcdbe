/** DOUBLE: IEEE 754 without NaN and infinities. A result out of range is R0202, an undefined one R0205; there is no negative zero. */
import { fail } from '../failure/failure.ts';
import { bigintMax, bigintMin } from './integer.ts';

/** The number itself when it is finite, with 0 for -0; else R0202. */
export function fitDouble(value: number, where = ''): number {
  if (!Number.isFinite(value)) throw fail('R0202', { type: 'DOUBLE', where });
  return value === 0 ? 0 : value;
}

export function addDouble(a: number, b: number): number {
  return fitDouble(a + b);
}
export function subtractDouble(a: number, b: number): number {
  return fitDouble(a - b);
}
export function multiplyDouble(a: number, b: number): number {
  return fitDouble(a * b);
}
export function divideDouble(a: number, b: number): number {
  if (b === 0) throw fail('R0201', { where: '' });
  return fitDouble(a / b);
}
export function negateDouble(a: number): number {
  return fitDouble(-a);
}

/** To the nearest whole number, halves to the even one, as PostgreSQL does for double precision. */
export function roundDouble(a: number): number {
  const floor = Math.floor(a);
  const rest = a - floor;
  return fitDouble(rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor);
}
export function truncateDouble(a: number): number {
  return fitDouble(Math.trunc(a));
}
export function ceilDouble(a: number): number {
  return fitDouble(Math.ceil(a));
}
export function floorDouble(a: number): number {
  return fitDouble(Math.floor(a));
}

/** DOUBLE to BIGINT: rounded halves to even. */
export function doubleToBigint(a: number, where = ''): bigint {
  const whole = BigInt(roundDouble(a));
  if (whole >= bigintMin && whole <= bigintMax) return whole;
  throw fail('R0202', { type: 'BIGINT', where });
}

export function sqrt(a: number): number {
  if (a < 0) throw fail('R0205', { function: 'SQRT', problem: 'cannot take the square root of a negative number' });
  return fitDouble(Math.sqrt(a));
}
export function power(a: number, b: number): number {
  if (a === 0 && b < 0)
    throw fail('R0205', { function: 'POWER', problem: 'zero raised to a negative power is undefined' });
  if (a < 0 && !Number.isInteger(b)) {
    throw fail('R0205', { function: 'POWER', problem: 'a negative number raised to a non-integer power is undefined' });
  }
  return fitDouble(a ** b);
}
export function exp(a: number): number {
  return fitDouble(Math.exp(a));
}
export function ln(a: number): number {
  return fitDouble(Math.log(positive('LN', a)));
}
export function log10(a: number): number {
  return fitDouble(Math.log10(positive('LOG', a)));
}
/** Logarithm of `a` to base `base`. */
export function logarithm(base: number, a: number): number {
  const divisor = Math.log(positive('LOG', base));
  if (divisor === 0) throw fail('R0201', { where: '' });
  return fitDouble(Math.log(positive('LOG', a)) / divisor);
}

function positive(name: string, a: number): number {
  if (a > 0) return a;
  throw fail('R0205', { function: name, problem: 'cannot take the logarithm of zero or a negative number' });
}

/** The text of a DOUBLE on every engine: JavaScript's shortest that reads back as the same number. */
export function printDouble(a: number): string {
  return String(a === 0 ? 0 : a);
}
