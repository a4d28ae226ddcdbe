/** Literals of the catalog (payload form of language/values/type.ts) in SQL for SQLite. The only place where text of users enters SQL. */
import { parseDate } from '../../language/values/date.ts';
import { parseDecimal, rescale } from '../../language/values/decimal.ts';
import { parseTimestamp } from '../../language/values/timestamp.ts';
import type { Type } from '../../language/values/type.ts';
import { quoteSqlite } from './sqlite-text.ts';
import { isWide } from './typing.ts';

/** Negative numbers are in parentheses. A value that is not of its type is a bug and throws. */
export function literalSqlite(value: string | number | boolean | null, type: Type): string {
  if (value === null) return 'NULL';
  switch (type.kind) {
    case 'INT':
    case 'BIGINT':
      return whole(parseDecimal(String(value))?.unscaled);
    case 'DECIMAL': {
      const written = parseDecimal(String(value));
      const unscaled = written && rescale(written.unscaled, written.scale, type.scale);
      return isWide(type) && unscaled !== undefined ? quoteSqlite(unscaled.toString()) : whole(unscaled);
    }
    case 'DOUBLE':
      return double(Number(value));
    case 'BOOLEAN':
      return value === true || value === 'true' ? '1' : '0';
    case 'TIMESTAMP':
    case 'WALL':
      return whole(parseTimestamp(String(value)));
    case 'DATE': {
      const day = parseDate(String(value));
      return whole(day === undefined ? undefined : BigInt(day));
    }
    default:
      return text(String(value));
  }
}

function whole(value: bigint | undefined): string {
  if (value === undefined) throw new TypeError('a literal does not spell a value of its type');
  // SQLite reads the minus separately from the digits, and 2^63 alone is a REAL.
  if (value === -(2n ** 63n)) return '(-9223372036854775807 - 1)';
  return value < 0n ? `(${value})` : value.toString();
}

/** With a point or exponent, so that it is a REAL. */
function double(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError('a literal does not spell a value of its type');
  const digits = String(value);
  const real = /[.e]/.test(digits) ? digits : `${digits}.0`;
  return value < 0 ? `(${real})` : real;
}

/** SQLite stops reading SQL at a NUL, so a NUL is never printed. */
function text(value: string): string {
  if (!value.includes('\0')) return quoteSqlite(value);
  throw new TypeError('a NUL in a text literal');
}
