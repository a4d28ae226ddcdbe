import type { TypedExpression } from '../../../language/catalog/expression.ts';

/** `inQuery`: inside a subquery of the given expression. */
type Replace = (expression: TypedExpression, inQuery: boolean) => TypedExpression | undefined;

/**
 * A copy of an expression, a query or anything made of them, in which `replace` may replace any expression, outermost first; also inside
 * subqueries.
 */
export function replaceWithin<T>(value: T, replace: Replace): T {
  return copy(value, replace, false) as T; // expressions are replaced by expressions, all else keeps its shape
}

function copy(value: unknown, replace: Replace, inQuery: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => copy(part, replace, inQuery));
  const replaced = isExpression(value) ? replace(value, inQuery) : undefined;
  if (replaced !== undefined) return replaced;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, copy(part, replace, inQuery || key === 'query')]),
  );
}

/** Bound trees are plain data: only expressions have both `kind` and `nullable`. */
function isExpression(value: object): value is TypedExpression {
  return 'kind' in value && 'nullable' in value;
}
