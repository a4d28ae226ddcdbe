import type { CallShape, TypedExpression } from '../../../language/catalog/expression.ts';

const associative: readonly string[] = ['and', 'or', 'concat'];

/** The arguments of a call; for a left-leaning chain such as `((a AND b) AND c)` all operands in order. */
export function operandsOf(call: CallShape): readonly TypedExpression[] {
  if (!associative.includes(call.function)) return call.arguments;
  const reversed: TypedExpression[] = [];
  let rest: readonly TypedExpression[] = call.arguments;
  for (;;) {
    const [left, right] = rest;
    if (left === undefined || right === undefined) return [...rest, ...reversed.toReversed()];
    reversed.push(right);
    if (left.kind !== 'call' || left.function !== call.function) return [left, ...reversed.toReversed()];
    rest = left.arguments;
  }
}

/**
 * Joins all items in order into a balanced tree, so that a long chain stays far below SQLite's limit for the depth of
 * an expression.
 */
export function balanced<T>(items: readonly T[], join: (left: T, right: T) => T): T {
  const [only, second] = items;
  if (only === undefined) throw new Error('a chain has operands');
  if (second === undefined) return only;
  const middle = Math.ceil(items.length / 2);
  return join(balanced(items.slice(0, middle), join), balanced(items.slice(middle), join));
}
