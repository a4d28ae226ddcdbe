import { partsOf } from '../analyse/query/walk.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';

const sizes = new WeakMap<TypedExpression, number>();

/** The number of parts of a printed expression, without those of subqueries. A part that is printed several times counts each time. */
export function expressionSize(expression: TypedExpression): number {
  const known = sizes.get(expression);
  if (known !== undefined) return known;
  const size = partsOf(expression).reduce((sum, part) => sum + expressionSize(part), 1);
  sizes.set(expression, size);
  return size;
}
