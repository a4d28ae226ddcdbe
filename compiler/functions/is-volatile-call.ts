import type { TypedExpression } from '../../language/catalog/expression.ts';
import { lookupFunction } from './catalogue.ts';

/** Whether each evaluation of the call may give another value (random). */
export function isVolatileCall(expression: TypedExpression): boolean {
  return expression.kind === 'call' && lookupFunction(expression.function)?.volatility === 'volatile';
}
