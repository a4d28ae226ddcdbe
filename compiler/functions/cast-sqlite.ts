/** Casts in SQL for SQLite. Every pair of types that `canCast` allows explicitly can be printed in any mode, since some signatures need it. */
import { isSqliteInteger } from '../../language/sqlite/value.ts';
import { sqliteCall } from '../../language/sqlite/call.ts';
import type { EnumType, Type } from '../../language/values/type.ts';
import type { CastMode } from './can-cast.ts';
import type { PrintedArgument } from './entry.ts';
import { checkedDecimal, checkedInt, quoteSqlite, timesPowerOfTen } from './sqlite-text.ts';
import { isWide, maximumPrecision, wholeDigits, type DecimalType } from './typing.ts';

/** The argument as a value of type `to`; `field` is the field named by a failure. The argument's text is printed once unless it is simple. */
export function printCastSqlite(argument: PrintedArgument, to: Type, mode: CastMode, field = ''): string {
  const { text, type: from } = argument;
  if (from.kind === 'NULL' || text === 'NULL') return text;
  const where = quoteSqlite(field);
  switch (to.kind) {
    case 'STRING':
      if (to.enum !== undefined) return toEnum(argument, to.enum, where);
      return limited(toText(argument), from, to.length, mode, where);
    case 'UUID':
      return toText(argument);
    case 'INT':
      return toInt(argument, field);
    case 'BIGINT':
      return toBigint(argument, field);
    case 'DECIMAL':
      return toDecimal(argument, to, field);
    case 'DOUBLE':
      return toDouble(argument, where);
    case 'BOOLEAN':
      if (from.kind === 'BOOLEAN') return text;
      return from.kind === 'INT' ? `(${text} <> 0)` : sqliteCall('textToBoolean', text);
    case 'TIMESTAMP':
      if (from.kind === 'TIMESTAMP') return text;
      return from.kind === 'DATE' ? `(${text} * 86400000000)` : sqliteCall('textToTimestamp', text);
    case 'DATE':
      if (from.kind === 'DATE') return text;
      return from.kind === 'TIMESTAMP' || from.kind === 'WALL'
        ? sqliteCall('timestampToDate', text)
        : sqliteCall('textToDate', text);
    case 'INTERVAL':
      return from.kind === 'INTERVAL' ? text : sqliteCall('textToInterval', text);
    case 'JSON':
      if (from.kind === 'JSON') return text;
      return isNested(from)
        ? sqliteCall('nestedToJson', text, quoteSqlite(JSON.stringify(from)))
        : sqliteCall('textToJson', text);
    default:
      return text;
  }
}

function isNested(type: Type): boolean {
  return type.kind === 'LIST' || type.kind === 'STRUCT';
}

function toText({ text, type }: PrintedArgument): string {
  switch (type.kind) {
    case 'INT':
    case 'BIGINT':
      return `CAST(${text} AS TEXT)`;
    case 'DECIMAL':
      if (type.scale === 0) return `CAST(${text} AS TEXT)`;
      return sqliteCall(type.bare === true ? 'bareDecimalToText' : 'decimalToText', text, String(type.scale));
    case 'DOUBLE':
      return sqliteCall('doubleToText', text);
    case 'BOOLEAN':
      return `(CASE ${text} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)`;
    case 'TIMESTAMP':
      return sqliteCall('timestampToText', text);
    case 'WALL':
      return sqliteCall('wallTimeToText', text);
    case 'DATE':
      return sqliteCall('dateToText', text);
    case 'LIST':
    case 'STRUCT':
      return sqliteCall('nestedToJson', text, quoteSqlite(JSON.stringify(type)));
    default:
      return text;
  }
}

/** Only text that is not of the ENUM already is checked. The values are one argument, so that nothing depends on their number. */
function toEnum(argument: PrintedArgument, to: EnumType, where: string): string {
  const { type: from } = argument;
  if (from.kind === 'STRING' && from.enum !== undefined && JSON.stringify(from.enum) === JSON.stringify(to))
    return argument.text;
  return sqliteCall('fitEnum', toText(argument), quoteSqlite(to.name), quoteSqlite(JSON.stringify(to.values)), where);
}

function limited(text: string, from: Type, limit: number | undefined, mode: CastMode, where: string): string {
  if (limit === undefined || mode === 'implicit' || (from.kind === 'STRING' && (from.length ?? Infinity) <= limit))
    return text;
  return mode === 'assign'
    ? sqliteCall('fitText', text, String(limit), where)
    : sqliteCall('cutText', text, String(limit));
}

function toInt({ text, type, simple }: PrintedArgument, field: string): string {
  switch (type.kind) {
    case 'INT':
    case 'BOOLEAN':
      return text;
    case 'BIGINT':
      return checkedInt({ text, simple, where: field });
    case 'DECIMAL':
      if (type.scale === 0) return type.precision < 10 ? text : checkedInt({ text, simple, where: field });
      return sqliteCall('decimalToInt', text, String(type.scale), quoteSqlite(field));
    case 'DOUBLE':
      return sqliteCall('doubleToInt', text, quoteSqlite(field));
    default:
      return sqliteCall('textToInt', text, quoteSqlite(field));
  }
}

function toBigint({ text, type }: PrintedArgument, field: string): string {
  switch (type.kind) {
    case 'INT':
    case 'BIGINT':
      return text;
    case 'DECIMAL':
      return type.scale === 0 ? text : sqliteCall('decimalToBigint', text, String(type.scale), quoteSqlite(field));
    case 'DOUBLE':
      return sqliteCall('doubleToBigint', text, quoteSqlite(field));
    default:
      return sqliteCall('textToBigint', text, quoteSqlite(field));
  }
}

/** INT values have at most 10 digits, BIGINT values 19. */
function toDecimal({ text, type, simple }: PrintedArgument, to: DecimalType, field: string): string {
  const { precision, scale } = to;
  const where = quoteSqlite(field);
  if (isWide(to)) return sqliteCall('widen', text, String(scale - (type.kind === 'DECIMAL' ? type.scale : 0)));
  switch (type.kind) {
    case 'INT': {
      const scaled = timesPowerOfTen(text, scale);
      if (10 + scale <= precision || fitsLiterally(scaled, precision)) return scaled;
      return checkedDecimal({ text: scaled, simple, where: field }, to);
    }
    case 'BIGINT':
      if (fitsLiterally(timesPowerOfTen(text, scale), precision)) return timesPowerOfTen(text, scale);
      if (scale === 0) return checkedDecimal({ text, simple, where: field }, to);
      return sqliteCall('bigintToDecimal', text, String(precision), String(scale), where);
    case 'DECIMAL': {
      const raised = scale - type.scale;
      if (raised < 0 || type.precision + raised > maximumPrecision) {
        return sqliteCall('decimalToDecimal', text, String(type.scale), String(precision), String(scale), where);
      }
      const scaled = timesPowerOfTen(text, raised);
      if (wholeDigits(type) <= wholeDigits(to) || fitsLiterally(scaled, precision)) return scaled;
      return checkedDecimal({ text: scaled, simple, where: field }, to);
    }
    case 'DOUBLE':
      return sqliteCall('doubleToDecimal', text, String(precision), String(scale), where);
    default:
      return sqliteCall('textToDecimal', text, String(precision), String(scale), where);
  }
}

function fitsLiterally(text: string, precision: number): boolean {
  const digits = /^\(?-?(\d+)\)?$/.exec(text)?.[1];
  return digits !== undefined && digits.length <= precision;
}

/** A decimal of 15 digits and its power of ten are exact REALs, so their quotient is the nearest one. */
function toDouble({ text, type }: PrintedArgument, where: string): string {
  if (type.kind === 'DOUBLE') return text;
  if (type.kind === 'DECIMAL' && type.scale > 0) {
    if (type.precision > 15) return sqliteCall('decimalToDouble', text, String(type.scale));
    return `(${text} / 1${'0'.repeat(type.scale)}.0)`;
  }
  return isSqliteInteger(type) ? `CAST(${text} AS REAL)` : sqliteCall('textToDouble', text, where);
}
