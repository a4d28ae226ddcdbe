/** Puts the caller into VISIBLE and CLEAR (docs/callers.md#visible), before a query is printed with them. */
import type { CallerPart } from '../../language/contract/caller.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';
import { mapExpression } from '../../language/catalog/map-expression.ts';
import { literal, nullOf, truthType } from '../analyse/typed/typed.ts';
import { lookupFunction } from '../functions/catalogue.ts';

/** The facts about a caller that decide the form of a condition. Callers of the same facts share one query, with their values as parameters. */
export interface CallerFacts {
  readonly hasRole: (role: string) => boolean;
  /** Whether the subject or a claim is NULL. */
  readonly isNull: (part: Exclude<CallerPart, { readonly of: 'role' }>) => boolean;
}

/** The rows for which a condition is TRUE. */
export type Rows = 'all' | 'none' | TypedExpression;

/** The condition for a caller: roles and NULLs are folded into it, other values of the caller stay as parameters. */
export function rowsFor(condition: TypedExpression, caller: CallerFacts): Rows {
  const rest = passing(folded(condition, caller));
  if (rest.kind !== 'literal') return rest;
  return rest.value === true ? 'all' : 'none';
}

/** An equal expression, in which parts whose value is known are literals. Subqueries read the caller as parameters. */
function folded(expression: TypedExpression, caller: CallerFacts): TypedExpression {
  return mapExpression(expression, (part) => {
    switch (part.kind) {
      case 'caller':
        if (part.part.of === 'role') return truth(caller.hasRole(part.part.role));
        return caller.isNull(part.part) ? nullOf(part.type) : { ...part, nullable: false };
      case 'call':
        return foldedCall({ ...part, arguments: part.arguments.map((argument) => folded(argument, caller)) });
      case 'cast': {
        const operand = folded(part.operand, caller);
        return isNull(operand) ? nullOf(part.type) : { ...part, operand };
      }
      case 'in-list': {
        const operand = folded(part.operand, caller);
        if (isNull(operand)) return nullOf(truthType);
        return { ...part, operand, list: part.list.map((item) => folded(item, caller)) };
      }
      default:
        return undefined;
    }
  });
}

type Call = Extract<TypedExpression, { readonly kind: 'call' }>;

function foldedCall(call: Call): TypedExpression {
  const [first, second] = call.arguments;
  if (first === undefined) return call;
  if (second !== undefined && isConnective(call)) return connected(call, first, second);
  const value = first.kind === 'literal' ? first.value : undefined;
  switch (call.function) {
    case 'not':
      return typeof value === 'boolean' ? truth(!value) : value === null ? nullOf(truthType) : call;
    case 'is_null':
    case 'is_unknown':
      return value !== undefined ? truth(value === null) : first.nullable ? call : truth(false);
    case 'is_true':
      return value === undefined ? call : truth(value === true);
    case 'is_false':
      return value === undefined ? call : truth(value === false);
    default: {
      // `x = ANY (list)`: without a list nothing is known of any x.
      const givesNull = lookupFunction(call.function)?.strict === true ? call.arguments.some(isNull) : hasNoList(call);
      return givesNull ? nullOf(call.type) : call;
    }
  }
}

function hasNoList({ function: name, arguments: given }: Call): boolean {
  return name.startsWith('any_') && given.slice(1).some(isNull);
}

/** AND and OR of two parts, by three values. */
function connected(call: Call, left: TypedExpression, right: TypedExpression): TypedExpression {
  const decides = call.function === 'or';
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    if (isTruth(one, decides)) return one;
    if (isTruth(one, !decides)) return other;
  }
  return isNull(left) && isNull(right) ? left : { ...call, arguments: [left, right] };
}

/** For a place where NULL counts as FALSE. */
function passing(condition: TypedExpression): TypedExpression {
  if (isNull(condition)) return truth(false);
  if (condition.kind !== 'call' || !isConnective(condition)) return condition;
  const [left, right] = condition.arguments.map(passing);
  return left === undefined || right === undefined ? condition : connected(condition, left, right);
}

function isConnective({ function: name }: Call): boolean {
  return name === 'and' || name === 'or';
}

function isNull(part: TypedExpression): boolean {
  return part.kind === 'literal' && part.value === null;
}

function isTruth(part: TypedExpression, value: boolean): boolean {
  return part.kind === 'literal' && part.value === value;
}

function truth(value: boolean): TypedExpression {
  return literal(value, truthType);
}
