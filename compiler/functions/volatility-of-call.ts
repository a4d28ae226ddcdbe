import type { TypedExpression } from '../../language/catalog/expression.ts';
import { lookupFunction } from './catalogue.ts';

/** Whether each evaluation of the call may give another value (random). */
export function isVolatileCall(expression: TypedExpression): boolean {
  return expression.kind === 'call' && lookupFunction(expression.function)?.volatility === 'volatile';
}

/** Whether the call is of one value a statement and another one later (the current time). */
export function isStableCall(expression: TypedExpression): boolean {
  return expression.kind === 'call' && lookupFunction(expression.function)?.volatility === 'stable';
}
