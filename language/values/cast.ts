/**
 * CAST between any two types that the language casts between, on values. It has the same meaning as the printed casts of
 * compiler/functions/cast.ts, which call the same functions.
 */
import { fail } from '../failure/failure.ts';
import { printDate } from './date.ts';
import { printDecimal } from './decimal.ts';
import { doubleToBigint, printDouble } from './double.ts';
import { narrowBigint } from './integer.ts';
import { writeJson } from './json-write.ts';
import {
  bigintToDecimal,
  decimalToBigint,
  decimalToDecimal,
  decimalToDouble,
  decimalToInt,
  doubleToDecimal,
  doubleToInt,
  intToDecimal,
} from './number-cast.ts';
import {
  cutText,
  fitEnum,
  fitText,
  textToBigint,
  textToBoolean,
  textToDate,
  textToDecimal,
  textToDouble,
  textToInt,
  textToInterval,
  textToJson,
  textToTimestamp,
} from './text-cast.ts';
import { dateToTimestamp, printTimestamp, timestampToDate, printWallTime } from './timestamp.ts';
import { typeName, type Type, type Value } from './type.ts';

export interface CastOptions {
  /** A value for a field: text longer than VARCHAR(n) is refused instead of cut, and failures name the field. */
  readonly field?: string;
}

/**
 * The value as a value of another type; R0202 when it does not fit, R0204 when the text is not a value of the type or the language has no
 * such cast.
 */
export function castValue(value: Value, from: Type, to: Type, options: CastOptions = {}): Value {
  if (value === null) return null;
  const where = options.field ?? '';
  switch (to.kind) {
    case 'STRING': {
      const text = printValue(value, from);
      if (to.enum !== undefined) return fitEnum(text, to.enum.name, JSON.stringify(to.enum.values), where);
      if (to.length === undefined) return text;
      return options.field === undefined ? cutText(text, to.length) : fitText(text, to.length, options.field);
    }
    case 'UUID':
      return printValue(value, from);
    case 'JSON':
      return typeof value === 'string' && from.kind !== 'JSON' ? textToJson(value) : writeJson(value, from);
    case 'LIST':
    case 'STRUCT':
    case 'NULL':
      return value;
    default:
      return typeof value === 'string' ? fromText(value, to, where) : fromOther(value, from, to, where);
  }
}

/** Any value as text: booleans `true`, decimals with their scale, timestamps and dates in ISO form, lists and structs as JSON. */
export function printValue(value: NonNullable<Value>, type: Type): string {
  switch (type.kind) {
    case 'DECIMAL':
      return printDecimal(value as bigint, type.scale, type.bare); // a value of a DECIMAL is a bigint
    case 'DOUBLE':
      return printDouble(value as number);
    case 'TIMESTAMP':
      return printTimestamp(value as bigint); // so is one of a TIMESTAMP
    case 'WALL':
      return printWallTime(value as bigint); // and one of a wall time
    case 'DATE':
      return printDate(value as number);
    default:
      return typeof value === 'object' ? writeJson(value, type) : String(value);
  }
}

function fromText(text: string, to: Type, where: string): Value {
  switch (to.kind) {
    case 'INT':
      return textToInt(text, where);
    case 'BIGINT':
      return textToBigint(text, where);
    case 'DECIMAL':
      return textToDecimal(text, to.precision, to.scale, where);
    case 'DOUBLE':
      return textToDouble(text, where);
    case 'BOOLEAN':
      return textToBoolean(text);
    case 'TIMESTAMP':
      return textToTimestamp(text);
    case 'DATE':
      return textToDate(text);
    case 'INTERVAL':
      return textToInterval(text);
    default:
      return text;
  }
}

function fromOther(value: NonNullable<Value>, from: Type, to: Type, where: string): Value {
  if (from.kind === to.kind && from.kind !== 'DECIMAL') return value;
  if (typeof value === 'bigint') {
    if (from.kind === 'DECIMAL') {
      if (to.kind === 'INT') return decimalToInt(value, from.scale, where);
      if (to.kind === 'BIGINT') return decimalToBigint(value, from.scale, where);
      if (to.kind === 'DECIMAL') return decimalToDecimal(value, from.scale, to.precision, to.scale, where);
      if (to.kind === 'DOUBLE') return decimalToDouble(value, from.scale);
    }
    if (from.kind === 'BIGINT') {
      if (to.kind === 'INT') return narrowBigint(value, where);
      if (to.kind === 'DECIMAL') return bigintToDecimal(value, to.precision, to.scale, where);
      if (to.kind === 'DOUBLE') return Number(value);
    }
    if ((from.kind === 'TIMESTAMP' || from.kind === 'WALL') && to.kind === 'DATE') return timestampToDate(value);
  }
  if (typeof value === 'number') {
    if (from.kind === 'DATE' && to.kind === 'TIMESTAMP') return dateToTimestamp(value);
    if (from.kind === 'INT') {
      if (to.kind === 'BIGINT') return BigInt(value);
      if (to.kind === 'DECIMAL') return intToDecimal(value, to.precision, to.scale, where);
      if (to.kind === 'DOUBLE') return value;
      if (to.kind === 'BOOLEAN') return value !== 0;
    }
    if (from.kind === 'DOUBLE') {
      if (to.kind === 'INT') return doubleToInt(value, where);
      if (to.kind === 'BIGINT') return doubleToBigint(value, where);
      if (to.kind === 'DECIMAL') return doubleToDecimal(value, to.precision, to.scale, where);
    }
  }
  if (typeof value === 'boolean' && to.kind === 'INT') return value ? 1 : 0;
  throw fail('R0204', { what: `a value of type ${typeName(from)}`, type: typeName(to) });
}
