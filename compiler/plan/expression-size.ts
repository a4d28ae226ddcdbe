import { partsOf } from '../analyse/query/walk.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';

const sizes = new WeakMap<TypedExpression, number>();

/** Of how many parts an expression is when it is printed, those of subqueries left out. What stands in several places counts in each. */
export function expressionSize(expression: TypedExpression): number {
  const known = sizes.get(expression);
  if (known !== undefined) return known;
  const size = partsOf(expression).reduce((sum, part) => sum + expressionSize(part), 1);
  sizes.set(expression, size);
  return size;
}
