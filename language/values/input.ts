/**
 * Command arguments as sent in JSON to values (docs/language.md#types). Nothing is rounded, cut or converted silently; a value that does
 * not fit gives a description for R0103.
 */
import { parseDate } from './date.ts';
import { hasDigits, parseDecimal, powerOfTen } from './decimal.ts';
import { fitDouble } from './double.ts';
import { bigintMax, bigintMin, intMax, intMin } from './integer.ts';
import { writeJsonValue } from './json-write.ts';
import { ExactNumber, type JsonValue } from './json.ts';
import { isSoundText, length } from './text.ts';
import { parseTimestamp } from './timestamp.ts';
import { typeName, type Type, type Value } from './type.ts';

export interface InputOptions {
  /** The description does not quote the given value. */
  readonly sensitive?: boolean;
}

/** `problem` completes the sentence "the argument takes …, not …". */
export type Input =
  | { readonly value: Value; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: { readonly takes: string; readonly given: string } };

/** NULL is accepted here for every type; whether a field may be NULL or absent is the command's own rule. */
export function readInput(given: JsonValue, type: Type, options: InputOptions = {}): Input {
  if (given === null) return { value: null };
  const value = read(given, type);
  if (value !== undefined) return { value };
  return { problem: { takes: describeType(type), given: describeGiven(given, options) } };
}

/** Undefined when the value does not fit. */
function read(given: JsonValue, type: Type): Value | undefined {
  switch (type.kind) {
    case 'STRING':
      if (typeof given !== 'string' || !isSoundText(given)) return undefined;
      if (type.enum !== undefined) return type.enum.values.includes(given) ? given : undefined;
      return type.length === undefined || length(given) <= type.length ? given : undefined;
    case 'UUID':
      return typeof given === 'string' && isSoundText(given) ? given : undefined;
    case 'INT': {
      const whole = readScaled(given, 0);
      return whole !== undefined && whole >= BigInt(intMin) && whole <= BigInt(intMax) ? Number(whole) : undefined;
    }
    case 'BIGINT': {
      const whole = readScaled(given, 0);
      return whole !== undefined && whole >= bigintMin && whole <= bigintMax ? whole : undefined;
    }
    case 'DECIMAL': {
      const unscaled = readScaled(given, type.scale);
      return unscaled !== undefined && hasDigits(unscaled, type.precision) ? unscaled : undefined;
    }
    case 'DOUBLE':
      return given instanceof ExactNumber && Number.isFinite(Number(given.text))
        ? fitDouble(Number(given.text))
        : undefined;
    case 'BOOLEAN':
      return typeof given === 'boolean' ? given : undefined;
    case 'TIMESTAMP':
      return typeof given === 'string' ? parseTimestamp(given) : undefined;
    case 'DATE':
      return typeof given === 'string' ? parseDate(given) : undefined;
    case 'JSON':
      return writeJsonValue(given);
    default:
      return undefined;
  }
}

/** A number, or a string that spells one, as an exact multiple of 10^-scale. */
function readScaled(given: JsonValue, scale: number): bigint | undefined {
  const text = given instanceof ExactNumber ? given.text : given;
  const written = typeof text === 'string' ? parseDecimal(text) : undefined;
  return written !== undefined && written.scale <= scale
    ? written.unscaled * powerOfTen(scale - written.scale)
    : undefined;
}

/** The name of a type, of a time with a value as it is written. */
export function withForm(name: string): string {
  const form = writtenForms.get(name);
  return form === undefined ? name : `${name} (as ${form})`;
}

const writtenForms: ReadonlyMap<string, string> = new Map([
  ['TIMESTAMP', '2026-01-31T08:00:00Z'],
  ['DATE', '2026-01-31'],
]);

function describeType(type: Type): string {
  switch (type.kind) {
    case 'INT':
      return `INT (a whole number from ${intMin} to ${intMax})`;
    case 'DECIMAL':
      return `${typeName(type)} (${type.precision - type.scale} digits before the point and ${type.scale} after)`;
    case 'STRING':
      return type.enum === undefined ? typeName(type) : `${typeName(type)} (${valueList(type.enum.values)})`;
    case 'TIMESTAMP':
    case 'DATE':
      return withForm(type.kind);
    default:
      return typeName(type);
  }
}

const mostValues = 20;

/** `'open', 'closed'`, the first twenty. */
function valueList(values: readonly string[]): string {
  const shown = values.slice(0, mostValues).map((value) => `'${value}'`);
  return `${shown.join(', ')}${values.length > mostValues ? ` and ${values.length - mostValues} more` : ''}`;
}

const quotedLength = 40;

function describeGiven(given: JsonValue, options: InputOptions): string {
  if (given instanceof Map) return 'an object';
  if (Array.isArray(given)) return 'an array';
  if (options.sensitive === true) return 'the given value';
  if (typeof given === 'string') {
    if (!isSoundText(given)) return 'text with a NUL or half a surrogate pair';
    return length(given) > quotedLength ? `a text of ${length(given)} characters` : JSON.stringify(given);
  }
  if (given instanceof ExactNumber)
    return given.text.length > quotedLength ? 'a number with so many digits' : given.text;
  return given === true ? 'true' : 'false';
}
