/**
 * The type rules shared by functions, operators, CASE, COALESCE and set operations (docs/language.md#types). Takes types, gives types or
 * undefined if there is none; never reports.
 */
import { length } from '../../language/values/text.ts';
import { typeName, type EnumType, type Type } from '../../language/values/type.ts';
import type { GivenArgument } from './entry.ts';

export type DecimalType = Extract<Type, { readonly kind: 'DECIMAL' }>;

export const INT: Type = { kind: 'INT' };
export const BIGINT: Type = { kind: 'BIGINT' };
export const DOUBLE: Type = { kind: 'DOUBLE' };
export const STRING: Type = { kind: 'STRING' };
export const UUID: Type = { kind: 'UUID' };
export const BOOLEAN: Type = { kind: 'BOOLEAN' };
export const TIMESTAMP: Type = { kind: 'TIMESTAMP' };
export const WALL: Type = { kind: 'WALL' };
export const DATE: Type = { kind: 'DATE' };
export const INTERVAL: Type = { kind: 'INTERVAL' };
export const JSON_TYPE: Type = { kind: 'JSON' };

/** Maximum number of digits of a DECIMAL. */
export const maximumPrecision = 18;

/** A DECIMAL with the given digits before and after the point, cut to 18 in total: values that do not fit then fail at run time. */
export function decimalOf(wholeDigits: number, scale: number): DecimalType {
  return { kind: 'DECIMAL', precision: Math.max(1, Math.min(maximumPrecision, wholeDigits + scale)), scale };
}

export function wholeDigits(type: DecimalType): number {
  return type.precision - type.scale;
}

export function isNumeric(type: Type): boolean {
  return type.kind === 'INT' || type.kind === 'BIGINT' || type.kind === 'DECIMAL' || type.kind === 'DOUBLE';
}
export function isText(type: Type): boolean {
  return type.kind === 'STRING' || type.kind === 'UUID';
}
/** Two different ENUMs, which do not mix without a CAST. */
export function areOtherEnums(a: Type, b: Type): boolean {
  const [first, second] = [enumOf(a), enumOf(b)];
  return first !== undefined && second !== undefined && first.name !== second.name;
}

export function enumOf(type: Type): EnumType | undefined {
  return type.kind === 'STRING' ? type.enum : undefined;
}

/** A type whose values have an order: that of the values that represent them, or of their keys (`comparison-key.ts`). */
export function isComparable(type: Type): boolean {
  return type.kind !== 'JSON' && type.kind !== 'LIST' && type.kind !== 'STRUCT';
}

export function sameType(a: Type, b: Type): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Any exact number as a decimal: an INT literal by its own digits, other INTs with 10, a BIGINT with 18 (checked). */
export function asDecimal(given: Pick<GivenArgument, 'type' | 'literal'>): DecimalType {
  const { type, literal } = given;
  if (type.kind === 'DECIMAL') return { kind: 'DECIMAL', precision: type.precision, scale: type.scale };
  if (type.kind === 'INT') return decimalOf(typeof literal === 'number' ? String(Math.abs(literal)).length : 10, 0);
  return decimalOf(maximumPrecision, 0);
}

/** The narrowest DECIMAL for a text such as `12.50`; undefined when the text is not such a number. */
export function decimalOfText(text: string): DecimalType | undefined {
  const match = /^\s*[+-]?0*(\d*)(?:\.(\d*))?\s*$/.exec(text);
  if (match === null || !/\d/.test(text)) return undefined;
  const [whole, scale] = [(match[1] ?? '').length, (match[2] ?? '').length];
  return whole + scale <= maximumPrecision ? decimalOf(whole, scale) : undefined;
}

const numericRank: Readonly<Partial<Record<Type['kind'], number>>> = { INT: 1, BIGINT: 2, DECIMAL: 3, DOUBLE: 4 };

/** The common type of values of all these types (CASE, COALESCE, UNION, VALUES); bare NULLs fit any. Undefined when there is none. */
export function commonType(types: readonly Type[]): Type | undefined {
  return types.reduce<Type | undefined>(
    (common, type) => (common === undefined ? undefined : commonOfTwo(common, type)),
    { kind: 'NULL' },
  );
}

function commonOfTwo(a: Type, b: Type): Type | undefined {
  if (a.kind === 'NULL' || sameType(a, b)) return b;
  if (b.kind === 'NULL') return a;
  if (isNumeric(a) && isNumeric(b)) return commonNumber(a, b);
  if (isText(a) && isText(b)) return areOtherEnums(a, b) ? undefined : STRING;
  if ((a.kind === 'DATE' && b.kind === 'TIMESTAMP') || (a.kind === 'TIMESTAMP' && b.kind === 'DATE')) return TIMESTAMP;
  if (a.kind === 'LIST' && b.kind === 'LIST' && isText(a.of) && isText(b.of)) return { kind: 'LIST', of: STRING };
  return undefined;
}

function commonNumber(a: Type, b: Type): Type {
  if (a.kind === 'DECIMAL' || b.kind === 'DECIMAL') {
    if (a.kind === 'DOUBLE' || b.kind === 'DOUBLE') return DOUBLE;
    const [left, right] = [asDecimal({ type: a }), asDecimal({ type: b })];
    const common = decimalOf(Math.max(wholeDigits(left), wholeDigits(right)), Math.max(left.scale, right.scale));
    return [a, b].every((type) => type.kind !== 'DECIMAL' || type.bare === true) && common.scale === 6
      ? { ...common, bare: true }
      : common;
  }
  return (numericRank[a.kind] ?? 0) >= (numericRank[b.kind] ?? 0) ? a : b;
}

/**
 * The common type, with string literals taking the type of the others; all of them untyped make a STRING. A literal longer than the others'
 * VARCHAR(n) makes a STRING, and one with more digits than their DECIMAL a wider DECIMAL: only a field limits its values.
 */
export function commonTypeOf(given: readonly GivenArgument[]): Type | undefined {
  const typed = given.filter((argument) => !argument.untyped);
  if (typed.length === 0) return STRING;
  const common = commonType(typed.map((argument) => argument.type));
  if (common === undefined || common.kind === 'NULL') return common && STRING;
  const literals = given.flatMap(({ untyped, literal }) => (untyped && typeof literal === 'string' ? [literal] : []));
  return literals.reduce(widenedFor, common);
}

function widenedFor(type: Type, literal: string): Type {
  if (type.kind === 'STRING' && type.length !== undefined) return length(literal) > type.length ? STRING : type;
  if (type.kind !== 'DECIMAL') return type;
  const written = decimalOfText(literal);
  const fits = written === undefined || (written.scale <= type.scale && wholeDigits(written) <= wholeDigits(type));
  return fits ? type : commonNumber(type, written);
}

/**
 * The common type of values that are only compared, such as those of IN: a DECIMAL that holds each of them exactly. It may have more than
 * 18 digits (up to 37), which no result of an expression has; in SQLite such a value is the text of its unscaled number, which only `=` can
 * compare.
 */
export function comparedType(common: Type, given: readonly GivenArgument[]): Type {
  if (common.kind !== 'DECIMAL') return common;
  const precision = Math.max(...given.map(wholeDigitsOf)) + common.scale;
  return precision <= maximumPrecision ? common : { kind: 'DECIMAL', precision, scale: common.scale };
}

function wholeDigitsOf({ type, untyped, literal }: GivenArgument): number {
  const held = untyped ? decimalOfText(String(literal ?? '')) : type;
  if (held?.kind === 'DECIMAL') return wholeDigits(held);
  return (held && wholeNumberDigits[held.kind]) ?? 0;
}

/** Whether values of the type exist only for comparison. */
export function isWide(type: Type): boolean {
  return type.kind === 'DECIMAL' && type.precision > maximumPrecision;
}

const wholeNumberDigits: Readonly<Partial<Record<Type['kind'], number>>> = { INT: 10, BIGINT: 19 };

/** Names of types for problems: `STRING and INT`. */
export function namesOf(given: readonly GivenArgument[]): string {
  const names = given.map((argument) =>
    argument.untyped ? (argument.literal === null ? 'NULL' : 'a string literal') : typeName(argument.type),
  );
  return names.length < 2 ? (names[0] ?? 'nothing') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
