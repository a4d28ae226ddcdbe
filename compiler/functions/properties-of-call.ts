/** Properties of single calls, casts and aggregates: chance, time, and failures. Takes typed expressions; looks at no part inside them. */
import type { AggregateName, TypedExpression, WindowOnlyName } from '../../language/catalog/expression.ts';
import { mayFail } from '../../language/sqlite/call.ts';
import { literalSqlite, printCastSqlite } from './cast.ts';
import { lookupFunction } from './catalogue.ts';
import type { PrintedArgument } from './entry.ts';

/** Whether each evaluation of the call may give another value (random). */
export function isVolatileCall(expression: TypedExpression): boolean {
  return expression.kind === 'call' && lookupFunction(expression.function)?.volatility === 'volatile';
}

/** Whether the call is of one value a statement and another one later (the current time). */
export function isStableCall(expression: TypedExpression): boolean {
  return expression.kind === 'call' && lookupFunction(expression.function)?.volatility === 'stable';
}

/** Aggregates and window functions that have a result for all values: the others add values up, or check an argument. */
const unfailing: ReadonlySet<AggregateName | WindowOnlyName> = new Set([
  ...(['COUNT', 'MIN', 'MAX', 'FIRST', 'LAST', 'ARRAY_AGG'] as const),
  ...(['ROW_NUMBER', 'RANK', 'DENSE_RANK', 'PERCENT_RANK', 'CUME_DIST', 'FIRST_VALUE', 'LAST_VALUE'] as const),
]);

/** Whether this part can fail where its own parts do not, as its printed form tells. A scalar subquery, which fails for a second row, counts as one that cannot. */
export function canFail(part: TypedExpression): boolean {
  switch (part.kind) {
    case 'call': {
      const entry = lookupFunction(part.function);
      return (
        entry === undefined || mayFail(entry.sqlite({ arguments: part.arguments.map(printed), result: part.type }))
      );
    }
    case 'cast':
      return mayFail(printCastSqlite(printed(part.operand), part.type, part.mode));
    case 'aggregate':
    case 'window':
      return !unfailing.has(part.function);
    default:
      return false;
  }
}

/** Any value of the argument; a literal itself, since some functions read it. */
function printed(argument: TypedExpression): PrintedArgument {
  const { type, nullable } = argument;
  const text = argument.kind === 'literal' ? literalSqlite(argument.value, type) : 'x';
  return { text, type, nullable, simple: true };
}
