import type { TypedExpression } from '../../../language/catalog/expression.ts';

/** Whether two expressions are equal in every part. Different expressions mostly differ at once, so frequent calls are cheap. */
export function sameExpression(a: TypedExpression, b: TypedExpression): boolean {
  return samePart(a, b);
}

function samePart(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((part, index) => samePart(part, b[index]));
  const left = Object.entries(a);
  const right = b as Readonly<Record<string, unknown>>; // an object, by the test above
  return left.length === Object.keys(b).length && left.every(([key, value]) => samePart(value, right[key]));
}
