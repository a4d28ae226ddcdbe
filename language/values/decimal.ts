/**
 * Exact decimals as scaled integers: a DECIMAL(p,s) is a bigint, value × 10^s (docs/language.md#types). No value ever passes through a
 * float. Results keep at most 18 digits; a larger result fails with R0202, and division by zero with R0201.
 */
import { fail } from '../failure/failure.ts';

/** The largest precision of a DECIMAL. */
export const decimalDigits = 18;

const powers: readonly bigint[] = Array.from({ length: 64 }, (_, index) => 10n ** BigInt(index));

export function powerOfTen(exponent: number): bigint {
  return powers[exponent] ?? 10n ** BigInt(exponent);
}

/** A number as written: `unscaled` / 10^`scale`, without trailing zeros in the fraction, or with more digits than any type can hold. */
export interface WrittenDecimal {
  readonly unscaled: bigint;
  readonly scale: number;
}

const decimalSyntax = /^([+-]?)(?:(\d+)(?:\.(\d*))?|\.(\d+))(?:[eE]([+-]?\d{1,9}))?$/;
/** A value with more digits certainly fits no type, and further fraction digits cannot change its rounding. */
const keptDigits = 60;

/**
 * Reads `12`, `-12.50`, `.5`, `1e-3` exactly; undefined when the text is not a number. The cost is linear in the text, whatever its
 * exponent: magnitudes past 60 digits become some value that fits no type, and fraction digits past the 60th are cut, which never changes
 * the result of rounding half away from zero to 18 digits.
 */
export function parseDecimal(text: string): WrittenDecimal | undefined {
  const match = decimalSyntax.exec(text);
  if (match === null) return undefined;
  const whole = match[2] ?? '';
  const fraction = match[3] ?? match[4] ?? '';
  const digits = withoutLeadingZeros(whole + fraction);
  if (digits === '') return { unscaled: 0n, scale: 0 };
  const kept = withoutTrailingZeros(digits);
  let scale = fraction.length - (digits.length - kept.length) - Number(match[5] ?? '0');
  const wholeDigits = kept.length - scale;
  const sign = match[1] === '-' ? -1n : 1n;
  if (wholeDigits > keptDigits) return { unscaled: sign * powerOfTen(keptDigits), scale: 0 };
  if (wholeDigits < -keptDigits) return { unscaled: sign, scale: keptDigits };
  let significant = kept;
  if (scale > keptDigits) {
    significant = kept.slice(0, kept.length - (scale - keptDigits));
    scale = keptDigits;
    if (significant === '') return { unscaled: sign, scale };
  }
  const unscaled = sign * BigInt(significant);
  return scale < 0 ? { unscaled: unscaled * powerOfTen(-scale), scale: 0 } : { unscaled, scale };
}

function withoutLeadingZeros(digits: string): string {
  let from = 0;
  while (digits[from] === '0') from++;
  return digits.slice(from);
}
function withoutTrailingZeros(digits: string): string {
  let to = digits.length;
  while (digits[to - 1] === '0') to--;
  return digits.slice(0, to);
}

/** `12.30` for (1230n, 2). With `bare` (a DECIMAL without precision) trailing zeros of the fraction are left out: `12.3`. */
export function printDecimal(unscaled: bigint, scale: number, bare?: boolean): string {
  const negative = unscaled < 0n;
  let digits = (negative ? -unscaled : unscaled).toString();
  if (scale > 0) {
    digits = digits.padStart(scale + 1, '0');
    const whole = digits.slice(0, -scale);
    const fraction = bare === true ? withoutTrailingZeros(digits.slice(-scale)) : digits.slice(-scale);
    digits = fraction === '' ? whole : `${whole}.${fraction}`;
  }
  return negative ? `-${digits}` : digits;
}

/** The quotient rounded half away from zero. `divisor` is not 0. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const rest = dividend % divisor;
  const twice = rest < 0n ? -2n * rest : 2n * rest;
  if (twice < (divisor < 0n ? -divisor : divisor)) return quotient;
  return dividend < 0n === divisor < 0n ? quotient + 1n : quotient - 1n;
}

/** The value at another scale, rounded half away from zero when digits go. */
export function rescale(unscaled: bigint, from: number, to: number): bigint {
  if (from === to) return unscaled;
  return from < to ? unscaled * powerOfTen(to - from) : divideRounded(unscaled, powerOfTen(from - to));
}

/** Whether the unscaled value has at most `precision` digits. */
export function hasDigits(unscaled: bigint, precision: number): boolean {
  const limit = powerOfTen(precision);
  return unscaled < limit && unscaled > -limit;
}

/** The value itself when it fits the precision, else R0202 naming the type and, where given, the field. */
export function fitDecimal(unscaled: bigint, precision: number, scale: number, where = ''): bigint {
  if (hasDigits(unscaled, precision)) return unscaled;
  throw fail('R0202', { type: `DECIMAL(${precision},${scale})`, where });
}

function fitDigits(unscaled: bigint): bigint {
  if (hasDigits(unscaled, decimalDigits)) return unscaled;
  throw fail('R0202', { type: `a DECIMAL of ${decimalDigits} digits`, where: '' });
}

/** Sum at the larger of the two scales. Without scales both have the same one. */
export function addDecimal(a: bigint, b: bigint, aScale = 0, bScale = aScale): bigint {
  const scale = Math.max(aScale, bScale);
  return fitDigits(rescale(a, aScale, scale) + rescale(b, bScale, scale));
}

/** Difference at the larger of the two scales. Without scales both have the same one. */
export function subtractDecimal(a: bigint, b: bigint, aScale = 0, bScale = aScale): bigint {
  return addDecimal(a, -b, aScale, bScale);
}

/** Product rounded to `dropped` fewer fraction digits: its scale is the sum of the scales less `dropped`. */
export function multiplyDecimal(a: bigint, b: bigint, dropped = 0): bigint {
  return fitDigits(rescale(a * b, dropped, 0));
}

/** Quotient with `raised` zeros added to the dividend first: its scale is a's scale less b's scale plus `raised`. */
export function divideDecimal(a: bigint, b: bigint, raised: number): bigint {
  if (b === 0n) throw fail('R0201', { where: '' });
  return fitDigits(divideRounded(a * powerOfTen(raised), b));
}

/** Remainder of the truncating division, with the sign of the dividend, at the larger of the two scales. */
export function moduloDecimal(a: bigint, b: bigint, aScale = 0, bScale = aScale): bigint {
  if (b === 0n) throw fail('R0201', { where: '' });
  const scale = Math.max(aScale, bScale);
  return fitDigits(rescale(a, aScale, scale) % rescale(b, bScale, scale));
}

/** Negative, 0 or positive as a is below, equal to or above b, exact at any scales. */
export function compareDecimal(a: bigint, b: bigint, aScale: number, bScale: number): number {
  const scale = Math.max(aScale, bScale);
  const left = rescale(a, aScale, scale);
  const right = rescale(b, bScale, scale);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Rounds half away from zero at `places` fraction digits (negative: left of the point); the result has scale `to`. */
export function roundDecimal(a: bigint, scale: number, places: number, to: number): bigint {
  return atPlaces(a, scale, places, to, divideRounded);
}

/** Cuts at `places` fraction digits (negative: left of the point); the result has scale `to`. */
export function truncateDecimal(a: bigint, scale: number, places: number, to: number): bigint {
  return atPlaces(a, scale, places, to, (dividend, divisor) => dividend / divisor);
}

function atPlaces(
  a: bigint,
  scale: number,
  places: number,
  to: number,
  divide: (a: bigint, b: bigint) => bigint,
): bigint {
  if (places >= scale) return fitDigits(rescale(a, scale, to));
  const unit = Math.min(scale - places, keptDigits);
  return fitDigits(rescale(divide(a, powerOfTen(unit)) * powerOfTen(unit), scale, to));
}

/** The smallest whole number not below the value, at scale 0. */
export function ceilDecimal(a: bigint, scale: number): bigint {
  return -floorDecimal(-a, scale);
}

/** The largest whole number not above the value, at scale 0. */
export function floorDecimal(a: bigint, scale: number): bigint {
  const unit = powerOfTen(scale);
  return a >= 0n || a % unit === 0n ? a / unit : a / unit - 1n;
}
