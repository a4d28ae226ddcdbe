import { sqliteCall } from '../../../language/sqlite/call.ts';
import type { Type } from '../../../language/values/type.ts';
import { comparablePair } from '../comparable-pair.ts';
import { keySqlite, keyTypescript } from '../comparison-key.ts';
import type { FunctionEntry, PrintedArgument, PrintedCall } from '../entry.ts';
import { twoOperands } from '../operands.ts';
import { anyNullable, neverNullable } from '../signature.ts';
import { timesPowerOfTen } from '../sqlite-text.ts';
import { mayBeLiteral, sqlCall, timesPowerOfTenTs } from '../typescript-text.ts';
import { BOOLEAN, isText, maximumPrecision } from '../typing.ts';

interface Operator {
  readonly name: string;
  readonly symbol: string;
  /** SQLite's and TypeScript's own operator. */
  readonly sqlite: string;
  readonly plain: string;
  /** The function of `sql` that accepts NULLs. */
  readonly call: string;
}

const operators: readonly Operator[] = [
  { name: 'equal', symbol: '=', sqlite: '=', plain: '===', call: 'equal' },
  { name: 'not_equal', symbol: '<>', sqlite: '<>', plain: '!==', call: 'notEqual' },
  { name: 'less', symbol: '<', sqlite: '<', plain: '<', call: 'less' },
  { name: 'less_equal', symbol: '<=', sqlite: '<=', plain: '<=', call: 'lessEqual' },
  { name: 'greater', symbol: '>', sqlite: '>', plain: '>', call: 'greater' },
  { name: 'greater_equal', symbol: '>=', sqlite: '>=', plain: '>=', call: 'greaterEqual' },
];

const distinctions: readonly Operator[] = [
  { name: 'is_distinct', symbol: 'IS DISTINCT FROM', sqlite: 'IS NOT', plain: '!==', call: 'isDistinct' },
  { name: 'is_not_distinct', symbol: 'IS NOT DISTINCT FROM', sqlite: 'IS', plain: '===', call: 'isNotDistinct' },
];

/** `= <> < <= > >=`, NULL when an operand is, and `IS [NOT] DISTINCT FROM`, which treat NULL as a value. */
export const comparisons: readonly FunctionEntry[] = [
  ...operators.map((operator) => ({ ...entryOf(operator), strict: true as const })),
  ...distinctions.map((operator) => ({ ...entryOf(operator), resolve: resolver(operator, neverNullable) })),
];

function entryOf(operator: Operator): FunctionEntry {
  return {
    name: operator.name,
    usage: [`x ${operator.symbol} y`],
    resolve: resolver(operator, anyNullable),
    sqlite: (call) => sqlite(operator, call),
    typescript: (call) => typescript(operator, call),
  };
}

function resolver(operator: Operator, nullable: typeof anyNullable): FunctionEntry['resolve'] {
  return (given) => {
    const pair = comparablePair(operator.symbol, given);
    return 'problem' in pair ? pair : { parameters: pair.types, result: BOOLEAN, nullable };
  };
}

function scaleOf(type: Type): number {
  return type.kind === 'DECIMAL' ? type.scale : 0;
}
/** Digits that a number may have; no other type is ever scaled. */
function digitsOf(type: Type): number {
  return type.kind === 'DECIMAL' ? type.precision : type.kind === 'INT' ? 10 : 19;
}

function sqlite(operator: Operator, call: PrintedCall): string {
  const [a, b] = twoOperands(call).map(keySqlite) as [PrintedArgument, PrintedArgument]; // two, as before
  const [aScale, bScale] = [scaleOf(a.type), scaleOf(b.type)];
  const scale = Math.max(aScale, bScale);
  const tooLong = [a, b].some(
    ({ type }) => scale > scaleOf(type) && digitsOf(type) + scale - scaleOf(type) > maximumPrecision,
  );
  if (tooLong) return sqliteByFunction(operator, a.text, b.text, String(aScale), String(bScale));
  return `(${timesPowerOfTen(a.text, scale - aScale)} ${operator.sqlite} ${timesPowerOfTen(b.text, scale - bScale)})`;
}

function sqliteByFunction(operator: Operator, ...given: readonly string[]): string {
  if (operator.sqlite === 'IS NOT') return sqliteCall('distinctDecimal', ...given);
  if (operator.sqlite === 'IS') return `(NOT ${sqliteCall('distinctDecimal', ...given)})`;
  return `(${sqliteCall('compareDecimal', ...given)} ${operator.sqlite} 0)`;
}

function typescript(operator: Operator, call: PrintedCall): string {
  const [a, b] = twoOperands(call).map(keyTypescript) as [PrintedArgument, PrintedArgument]; // two, as before
  const [aScale, bScale] = [scaleOf(a.type), scaleOf(b.type)];
  const scale = Math.max(aScale, bScale);
  if (!a.nullable && !b.nullable && isPlain(operator, a, b)) {
    return `(${timesPowerOfTenTs(asBigint(a, scale), scale - aScale)} ${operator.plain} ${timesPowerOfTenTs(asBigint(b, scale), scale - bScale)})`;
  }
  return sqlCall(operator.call, alignedTs(a, scale), alignedTs(b, scale));
}

/**
 * Whether TypeScript's operator can be used: not on two literals, which TypeScript rejects as pointless, nor on text by code point or truth
 * by order.
 */
function isPlain(operator: Operator, a: PrintedArgument, b: PrintedArgument): boolean {
  const equality = operator.plain === '===' || operator.plain === '!==';
  if (a.type.kind === 'BOOLEAN') return equality && !mayBeLiteral(a) && !mayBeLiteral(b);
  if (!equality) return !isText(a.type);
  return !mayBeLiteral(a) || !mayBeLiteral(b);
}

/** A whole number next to a decimal: an INT is not yet a bigint. */
function asBigint({ text, type }: PrintedArgument, scale: number): string {
  return type.kind === 'INT' && scale > 0 ? `BigInt(${text})` : text;
}

function alignedTs(argument: PrintedArgument, scale: number): string {
  const raised = scale - scaleOf(argument.type);
  if (raised === 0) return argument.text;
  return argument.nullable
    ? sqlCall('scaleUp', argument.text, String(raised))
    : timesPowerOfTenTs(asBigint(argument, scale), raised);
}
