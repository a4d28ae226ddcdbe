import { partsOf } from '../analyse/typed/walk.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';

const sizes = new WeakMap<TypedExpression, number>();

/** The number of parts of a printed expression, without those of subqueries, and with those of functions' bodies. A part that is printed several times counts each time. */
export function expressionSize(expression: TypedExpression): number {
  const known = sizes.get(expression);
  if (known !== undefined) return known;
  const own = expression.kind === 'apply' ? expressionSize(expression.body) : 1;
  const size = partsOf(expression).reduce((sum, part) => sum + expressionSize(part), own);
  sizes.set(expression, size);
  return size;
}
