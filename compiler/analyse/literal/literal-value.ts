/**
 * Literals in the payload form of `language/values/type.ts`. Takes the text of a literal and the type from its context
 * (docs/language.md#types); gives the value, or undefined if it does not fit. Nothing is rounded here.
 */
import { Failure } from '../../../language/failure/failure.ts';
import { parseDate, printDate } from '../../../language/values/date.ts';
import { hasDigits, parseDecimal, powerOfTen, printDecimal } from '../../../language/values/decimal.ts';
import { bigintMax, bigintMin, intMax, intMin } from '../../../language/values/integer.ts';
import { textToBoolean, textToInterval, textToJson } from '../../../language/values/text-cast.ts';
import { parseTimestamp, printTimestamp, printWallTime } from '../../../language/values/timestamp.ts';
import type { Type } from '../../../language/values/type.ts';
import type { LiteralShape } from '../../../language/catalog/expression.ts';

export type LiteralValue = LiteralShape['value'];

/** The value of a string literal as a `type`. */
export function textAs(type: Type, text: string): LiteralValue | undefined {
  switch (type.kind) {
    case 'STRING':
      if (type.enum !== undefined && !type.enum.values.includes(text)) return undefined;
      return type.length === undefined || Array.from(text).length <= type.length ? text : undefined;
    case 'UUID':
    case 'NULL':
      return text;
    case 'INT':
    case 'BIGINT':
    case 'DECIMAL':
      return numberAs(type, text.trim());
    case 'DOUBLE':
      return finite(text.trim());
    case 'BOOLEAN':
      return attempt(() => textToBoolean(text));
    case 'TIMESTAMP': {
      const instant = parseTimestamp(text);
      return instant === undefined ? undefined : printTimestamp(instant);
    }
    case 'WALL': {
      const wall = /Z|[+-]\d{2}(?::?\d{2})?$/.test(text.slice(10)) ? undefined : parseTimestamp(text);
      return wall === undefined ? undefined : printWallTime(wall);
    }
    case 'DATE': {
      const day = parseDate(text);
      return day === undefined ? undefined : printDate(day);
    }
    case 'INTERVAL':
      return attempt(() => textToInterval(text));
    case 'JSON':
      return attempt(() => textToJson(text));
    case 'LIST':
    case 'STRUCT':
      return undefined;
  }
}

/** The value of a number, as written (`-12.50`, `1e3`), as a numeric `type`. */
export function numberAs(type: Type, text: string): LiteralValue | undefined {
  if (type.kind === 'DOUBLE') return finite(text);
  const written = parseDecimal(text);
  if (written === undefined) return undefined;
  const { unscaled, scale } = written;
  if (type.kind === 'INT' || type.kind === 'BIGINT') {
    const whole = scaled(unscaled, scale, 0);
    if (whole === undefined) return undefined;
    if (type.kind === 'INT') return whole >= BigInt(intMin) && whole <= BigInt(intMax) ? Number(whole) : undefined;
    return whole >= bigintMin && whole <= bigintMax ? String(whole) : undefined;
  }
  if (type.kind !== 'DECIMAL') return undefined;
  const value = scaled(unscaled, scale, type.scale);
  return value !== undefined && hasDigits(value, type.precision)
    ? printDecimal(value, type.scale, type.bare)
    : undefined;
}

/** The type of a number literal by its form: `7` INT, `100.00` DECIMAL(5,2), `1e3` DOUBLE; undefined when no type holds it. */
export function numberType(text: string): Type | undefined {
  if (/[eE]/.test(text)) return { kind: 'DOUBLE' };
  const digits = text.replace('-', '');
  const point = digits.indexOf('.');
  if (point < 0) {
    if (numberAs({ kind: 'INT' }, text) !== undefined) return { kind: 'INT' };
    return numberAs({ kind: 'BIGINT' }, text) === undefined ? undefined : { kind: 'BIGINT' };
  }
  const scale = digits.length - point - 1;
  const whole = digits.slice(0, point).replace(/^0+/, '').length;
  const precision = Math.max(1, whole + scale);
  return precision > 18 ? undefined : { kind: 'DECIMAL', precision, scale };
}

/** `unscaled` × 10^-from as a whole number of 10^-to, or undefined when digits would be lost or there are far too many. */
function scaled(unscaled: bigint, from: number, to: number): bigint | undefined {
  if (from <= to) return to - from > 60 ? (unscaled === 0n ? 0n : undefined) : unscaled * powerOfTen(to - from);
  const factor = powerOfTen(from - to);
  return unscaled % factor === 0n ? unscaled / factor : undefined;
}

function finite(text: string): number | undefined {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** The result of a text conversion, undefined if it fails. */
function attempt<T>(convert: () => T): T | undefined {
  try {
    return convert();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
