/** Puts the caller into VISIBLE and CLEAR (docs/callers.md#visible), before a query is printed with them. */
import type { CallerPart } from '../../language/contract/caller.ts';
import type { LiteralShape, TypedExpression } from '../../language/catalog/expression.ts';
import { mapExpression, someExpression } from '../../language/catalog/map-expression.ts';
import type { Type } from '../../language/values/type.ts';
import { literal, nullOf, truthType } from '../analyse/typed/typed.ts';
import { lookupFunction } from '../functions/catalogue.ts';
import { canFail } from '../functions/properties-of-call.ts';

/** The facts about a caller that decide the form of a condition. Callers of the same facts share one query, with their values as parameters. */
export interface CallerFacts {
  readonly hasRole: (role: string) => boolean;
  /** Whether the subject or a claim is NULL; undefined where it is not known. */
  readonly isNull: (part: ReadPart) => boolean | undefined;
  /** The value itself, where comparisons of it are decided too; undefined where it is not known. A query has it as a parameter. */
  readonly literal?: (part: ReadPart, type: Type) => LiteralShape['value'] | undefined;
}

type ReadPart = Exclude<CallerPart, { readonly of: 'role' }>;

/** The rows for which a condition is TRUE. */
export type Rows = 'all' | 'none' | TypedExpression;

/** The condition for a caller: roles and NULLs are folded into it, other values of the caller stay as parameters. */
export function rowsFor(condition: TypedExpression, caller: CallerFacts): Rows {
  const rest = passing(folded(condition, caller));
  if (rest.kind !== 'literal') return rest;
  return rest.value === true ? 'all' : 'none';
}

/**
 * Does so for ALLOW, which may fail and then refuses: `all` only if nothing that can fail is evaluated, from left to right, before the outcome is
 * certain.
 */
export function certainRowsFor(condition: TypedExpression, caller: CallerFacts): Rows {
  const rows = rowsFor(condition, caller);
  return rows !== 'all' || holdsFor(condition, caller) ? rows : condition;
}

function holdsFor(condition: TypedExpression, caller: CallerFacts): boolean {
  if (rowsFor(condition, caller) !== 'all') return false;
  if (!holdsFailing(condition)) return true;
  if (condition.kind !== 'call' || !isConnective(condition)) return false;
  const [left, right] = condition.arguments;
  if (left === undefined || right === undefined) return false;
  if (condition.function === 'and') return holdsFor(left, caller) && holdsFor(right, caller);
  return holdsFor(left, caller) || (!holdsFailing(left) && holdsFor(right, caller));
}

function holdsFailing(expression: TypedExpression): boolean {
  return someExpression(expression, (part) => canFail(part) || (part.kind === 'apply' && holdsFailing(part.body)));
}

/** An equal expression, in which parts whose value is known are literals. Subqueries read the caller as parameters. */
function folded(expression: TypedExpression, caller: CallerFacts): TypedExpression {
  return mapExpression(expression, (part) => {
    switch (part.kind) {
      case 'caller':
        if (part.part.of === 'role') return truth(caller.hasRole(part.part.role));
        return foldedPart(part, part.part, caller);
      case 'call':
        return foldedCall({ ...part, arguments: part.arguments.map((argument) => folded(argument, caller)) });
      case 'cast': {
        const operand = folded(part.operand, caller);
        return isNull(operand) ? nullOf(part.type) : { ...part, operand };
      }
      case 'in-list': {
        const operand = folded(part.operand, caller);
        if (isNull(operand)) return nullOf(truthType);
        return listed({ ...part, operand, list: part.list.map((item) => folded(item, caller)) });
      }
      default:
        return undefined;
    }
  });
}

function foldedPart(part: TypedExpression, read: ReadPart, caller: CallerFacts): TypedExpression {
  const isAbsent = caller.isNull(read);
  if (isAbsent === undefined) return part;
  if (isAbsent) return nullOf(part.type);
  const value = caller.literal?.(read, part.type);
  return value === undefined ? { ...part, nullable: false } : literal(value, part.type);
}

type Call = Extract<TypedExpression, { readonly kind: 'call' }>;
type Listed = Extract<TypedExpression, { readonly kind: 'in-list' }>;

function listed(expression: Listed): TypedExpression {
  const { operand, list, negated } = expression;
  const found = list.map((item) => sameLiteral(operand, item));
  if (found.includes(true)) return truth(!negated);
  return found.length > 0 && found.every((same) => same === false) ? truth(negated) : expression;
}

/** Whether two values are equal; undefined where one of them is not known, NULL, or of a type that has several forms of a value. */
function sameLiteral(one: TypedExpression, other: TypedExpression): boolean | undefined {
  if (one.kind !== 'literal' || other.kind !== 'literal' || one.value === null || other.value === null)
    return undefined;
  const isPlain = one.type.kind === other.type.kind && (one.type.kind === 'STRING' || one.type.kind === 'INT');
  return isPlain ? one.value === other.value : undefined;
}

/** Whether a list of texts has one. */
function inLiteral(one: TypedExpression, list: TypedExpression): boolean | undefined {
  if (one.kind !== 'literal' || list.kind !== 'literal' || typeof list.value !== 'string') return undefined;
  if (one.type.kind !== 'STRING' || one.value === null) return undefined;
  const items: unknown = JSON.parse(list.value);
  return Array.isArray(items) && !items.includes(null) ? items.includes(one.value) : undefined;
}

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
    case 'equal':
    case 'not_equal':
    case 'any_equal': {
      const same = second && (call.function === 'any_equal' ? inLiteral : sameLiteral)(first, second);
      return same === undefined ? nullIfStrict(call) : truth(same !== (call.function === 'not_equal'));
    }
    default:
      return nullIfStrict(call);
  }
}

/** `x = ANY (list)`: without a list nothing is known of any x. */
function nullIfStrict(call: Call): TypedExpression {
  const givesNull = lookupFunction(call.function)?.strict === true ? call.arguments.some(isNull) : hasNoList(call);
  return givesNull ? nullOf(call.type) : call;
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
