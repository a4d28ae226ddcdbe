import type { TypedExpression } from './expression.ts';

type Replace = (expression: TypedExpression) => TypedExpression | undefined;

/**
 * A copy of an expression in which `replace` may replace any part, outermost first; the parts of an unreplaced part are copied the same
 * way. Subqueries and bodies of functions are not entered.
 */
export function mapExpression(expression: TypedExpression, replace: Replace): TypedExpression {
  const replaced = replace(expression);
  if (replaced !== undefined) return replaced;
  const map = (part: TypedExpression): TypedExpression => mapExpression(part, replace);
  switch (expression.kind) {
    case 'call':
    case 'apply':
      return { ...expression, arguments: expression.arguments.map(map) };
    case 'case':
      return {
        ...expression,
        ...(expression.operand === undefined ? {} : { operand: map(expression.operand) }),
        branches: expression.branches.map(({ when, then }) => ({ when: map(when), then: map(then) })),
        ...(expression.otherwise === undefined ? {} : { otherwise: map(expression.otherwise) }),
      };
    case 'cast':
      return { ...expression, operand: map(expression.operand) };
    case 'in-list':
      return { ...expression, operand: map(expression.operand), list: expression.list.map(map) };
    case 'in-query':
      return { ...expression, operand: map(expression.operand) };
    case 'aggregate':
    case 'window':
      return {
        ...expression,
        arguments: expression.arguments.map(map),
        ...(expression.filter === undefined ? {} : { filter: map(expression.filter) }),
      };
    case 'mask':
      return { ...expression, of: expression.of.map(map) };
    case 'literal':
    case 'argument':
    case 'caller':
    case 'state':
    case 'parameter':
    case 'column':
    case 'scalar-query':
    case 'exists':
      return expression;
    default:
      return expression satisfies never;
  }
}

/** True when `test` holds for the expression or any part of it outside subqueries. */
export function someExpression(expression: TypedExpression, test: (part: TypedExpression) => boolean): boolean {
  let found = false;
  mapExpression(expression, (part) => {
    found ||= test(part);
    return found ? part : undefined;
  });
  return found;
}

/** The parts joined by AND, flattened; any other condition is its own only part. */
export function conjuncts(condition: TypedExpression | undefined): readonly TypedExpression[] {
  if (condition === undefined) return [];
  if (condition.kind !== 'call' || condition.function !== 'and') return [condition];
  return condition.arguments.flatMap(conjuncts);
}

/** An AND over all of them, in order; undefined for none. */
export function conjunction(parts: readonly TypedExpression[]): TypedExpression | undefined {
  return parts.reduce<TypedExpression | undefined>(
    (left, right) =>
      left === undefined
        ? right
        : {
            kind: 'call',
            function: 'and',
            arguments: [left, right],
            type: { kind: 'BOOLEAN' },
            nullable: left.nullable || right.nullable,
            sensitive: false,
          },
    undefined,
  );
}
