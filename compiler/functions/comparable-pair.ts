/** The types of two compared operands: types whose values compare directly, or decimals and whole numbers at one scale. */
import { typeName, type Type } from '../../language/values/type.ts';
import type { GivenArgument, Unresolvable } from './entry.ts';
import {
  areOtherEnums,
  enumOf,
  asDecimal,
  BIGINT,
  decimalOfText,
  DOUBLE,
  isComparable,
  isNumeric,
  isText,
  maximumPrecision,
  namesOf,
  STRING,
  TIMESTAMP,
  wholeDigits,
} from './typing.ts';

export type ComparablePair = { readonly types: readonly [Type, Type] } | Unresolvable;

export function comparablePair(symbol: string, given: readonly GivenArgument[]): ComparablePair {
  const [left, right] = given;
  if (left === undefined || right === undefined || given.length !== 2)
    return { problem: `${symbol} takes two operands` };
  const a = typeWith(left, right);
  const b = typeWith(right, left);
  const unordered = [a, b].find((type) => !isComparable(type));
  if (unordered !== undefined) {
    return {
      problem: `'${symbol}' cannot compare ${typeName(unordered)} values; take a part of it, or CAST it to STRING`,
    };
  }
  const pair = pairOf(a, b, left, right);
  return pair === undefined ? mixed(symbol, given) : { types: pair };
}

/** A literal takes the other side's type; a quoted number next to a DECIMAL keeps its own digits. */
function typeWith(given: GivenArgument, other: GivenArgument): Type {
  if (!given.untyped && given.type.kind !== 'NULL') return given.type;
  if (other.untyped || other.type.kind === 'NULL') return STRING;
  if (other.type.kind === 'STRING') return other.type.enum === undefined ? STRING : other.type;
  return (
    (other.type.kind === 'DECIMAL' && typeof given.literal === 'string' ? decimalOfText(given.literal) : undefined) ??
    other.type
  );
}

function pairOf(a: Type, b: Type, left: GivenArgument, right: GivenArgument): readonly [Type, Type] | undefined {
  if (isNumeric(a) && isNumeric(b)) return numbers({ ...left, type: a }, { ...right, type: b });
  if (isText(a) && isText(b)) return areOtherEnums(a, b) ? undefined : [a, b];
  if (a.kind === b.kind) return [a, b];
  const instants = [a.kind, b.kind].every((kind) => kind === 'DATE' || kind === 'TIMESTAMP');
  return instants ? [TIMESTAMP, TIMESTAMP] : undefined;
}

function numbers(left: GivenArgument, right: GivenArgument): readonly [Type, Type] {
  const kinds = [left.type.kind, right.type.kind];
  if (kinds.includes('DOUBLE')) return [DOUBLE, DOUBLE];
  if (!kinds.includes('DECIMAL')) return kinds.includes('BIGINT') ? [BIGINT, BIGINT] : [left.type, right.type];
  const [a, b] = [asDecimal(left), asDecimal(right)];
  const scale = Math.max(a.scale, b.scale);
  const whole = Math.max(wholeDigits(a), wholeDigits(b));
  // A literal next to a decimal is written at the decimal's scale; any other operand keeps its type and is scaled by the comparison.
  if (whole + scale <= maximumPrecision && !kinds.includes('BIGINT')) {
    return [left, right].map((given, index) =>
      isLiteral(given) ? { kind: 'DECIMAL', precision: whole + scale, scale } : [a, b][index],
    ) as [Type, Type];
  }
  return [left.type.kind === 'BIGINT' ? BIGINT : a, right.type.kind === 'BIGINT' ? BIGINT : b];
}

function isLiteral(given: GivenArgument): boolean {
  return typeof given.literal === 'number' || typeof given.literal === 'string';
}

function mixed(symbol: string, given: readonly GivenArgument[]): Unresolvable {
  if (given.every(({ type }) => enumOf(type) !== undefined))
    return { problem: `'${symbol}' cannot compare ${namesOf(given)}; CAST both to STRING` };
  if (
    given.some(({ type }) => type.kind === 'WALL') &&
    given.some(({ type }) => type.kind === 'TIMESTAMP' || type.kind === 'DATE')
  )
    return { problem: `'${symbol}' cannot compare ${namesOf(given)}; AT TIME ZONE makes either of the other` };
  const text = given.find((argument) => isText(argument.type) && !argument.untyped);
  const other = given.find((argument) => argument !== text);
  const hint =
    text === undefined || other === undefined ? '' : `; write CAST(… AS ${typeName(other.type)}) around the text`;
  return { problem: `'${symbol}' cannot compare ${namesOf(given)}${hint}` };
}
