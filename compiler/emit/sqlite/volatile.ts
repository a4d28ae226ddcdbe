import type { TypedExpression } from '../../catalog/expression.ts';
import type { BoundQuery } from '../../catalog/query.ts';
import { lookupFunction } from '../../functions/catalogue.ts';
import { holdsAnywhere } from './shape.ts';

/** Whether a row of the query may differ each time it is computed, so that it must be computed once. */
export function isVolatile(query: BoundQuery): boolean {
  return holdsAnywhere(query, isVolatileCall);
}

function isVolatileCall(expression: TypedExpression): boolean {
  return expression.kind === 'call' && lookupFunction(expression.function)?.volatility === 'volatile';
}
