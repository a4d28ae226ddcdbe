/** Conditions that are never or always true, if that is decidable. */
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { conjuncts } from '../../../language/catalog/map-expression.ts';
import { cellsOf, literalComparison } from './cells.ts';

/** Whether a part of an AND is never true, or parts about the same subject exclude each other. */
export function neverHolds(condition: TypedExpression): boolean {
  const parts = conjuncts(condition);
  return (
    parts.some(isNeverTrue) || parts.some((part, index) => parts.slice(index).some((other) => exclude(part, other)))
  );
}

function isNeverTrue(part: TypedExpression): boolean {
  if (part.kind === 'literal') return part.value !== true;
  if (part.kind === 'call' && part.function === 'or') return part.arguments.every(neverHolds);
  if (literalComparison(part) === false) return true;
  return part.kind === 'call' && comparesWithNull(part.function, part.arguments);
}

const strictComparisons = new Set(['equal', 'not_equal', 'less', 'less_equal', 'greater', 'greater_equal']);

function comparesWithNull(name: string, given: readonly TypedExpression[]): boolean {
  return (
    strictComparisons.has(name) && given.some((argument) => argument.kind === 'literal' && argument.value === null)
  );
}

function exclude(part: TypedExpression, other: TypedExpression): boolean {
  const cells = cellsOf([part, other]);
  return cells !== undefined && !cells.labels.some((_, cell) => cells.holds.every((holds) => holds[cell] === true));
}

const composing = new Set(['and', 'or', 'not']);

export function alwaysHolds(condition: TypedExpression): boolean {
  return conjuncts(condition).every((part) => {
    if (part.kind === 'literal') return part.value === true;
    if (literalComparison(part) === true) return true;
    // A comparison of one subject with another distinguishes cells: it fails in one of them.
    if (part.kind !== 'call' || !composing.has(part.function)) return false;
    const cells = cellsOf([part]);
    return cells !== undefined && !cells.nullable && cells.holds[0]?.every((holds) => holds) === true;
  });
}
