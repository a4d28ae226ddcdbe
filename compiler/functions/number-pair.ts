/** The types of two operands of an arithmetic operator. */
import { typeName, type Type } from '../../language/values/type.ts';
import type { GivenArgument, Unresolvable } from './entry.ts';
import { asDecimal, BIGINT, decimalOfText, DOUBLE, INT, isNumeric, namesOf, type DecimalType } from './typing.ts';

export type NumberPair =
  | { readonly kind: 'INT' | 'BIGINT' | 'DOUBLE'; readonly types: readonly [Type, Type] }
  | { readonly kind: 'DECIMAL'; readonly types: readonly [DecimalType, DecimalType] };

/** INT with INT stays INT, with BIGINT is BIGINT, with DECIMAL is DECIMAL; anything with DOUBLE is DOUBLE. A string literal takes the other's type. */
export function numberPair(symbol: string, given: readonly GivenArgument[]): NumberPair | Unresolvable {
  const [left, right] = given;
  if (left === undefined || right === undefined || given.length !== 2)
    return { problem: `${symbol} takes two operands` };
  const a = numberOf(left, right);
  const b = numberOf(right, left);
  if (a === undefined || b === undefined) return notNumbers(symbol, given);
  if (a.type.kind === 'DOUBLE' || b.type.kind === 'DOUBLE') return { kind: 'DOUBLE', types: [DOUBLE, DOUBLE] };
  if (a.type.kind === 'DECIMAL' || b.type.kind === 'DECIMAL')
    return { kind: 'DECIMAL', types: [asDecimal(a), asDecimal(b)] };
  if (a.type.kind === 'BIGINT' || b.type.kind === 'BIGINT') return { kind: 'BIGINT', types: [BIGINT, BIGINT] };
  return { kind: 'INT', types: [INT, INT] };
}

/** A number, or a literal that the other side makes a number. */
function numberOf(given: GivenArgument, other: GivenArgument): Pick<GivenArgument, 'type' | 'literal'> | undefined {
  if (!given.untyped) return isNumeric(given.type) ? given : undefined;
  if (given.literal === null) return { type: other.untyped ? INT : isNumeric(other.type) ? other.type : INT };
  if (other.untyped || !isNumeric(other.type)) return undefined;
  if (other.type.kind !== 'DECIMAL') return { type: other.type };
  return { type: (typeof given.literal === 'string' ? decimalOfText(given.literal) : undefined) ?? other.type };
}

/** The problem of operands that are not numbers, with a cast as its fix. */
export function notNumbers(symbol: string, given: readonly GivenArgument[]): Unresolvable {
  const text = given.find((argument) => argument.type.kind === 'STRING' && !argument.untyped);
  const hint =
    text === undefined
      ? ''
      : `; write CAST(… AS DECIMAL(18,2)) or another number type to take the ${typeName(text.type)} as a number`;
  return { problem: `'${symbol}' takes numbers, not ${namesOf(given)}${hint}` };
}
