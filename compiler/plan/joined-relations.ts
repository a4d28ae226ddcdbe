import type { TypedExpression } from '../../language/catalog/expression.ts';
import { conjuncts } from '../../language/catalog/map-expression.ts';
import type { BoundDerived, BoundNamedRelation, BoundRelation } from '../../language/catalog/query.ts';

export type LeafRelation = BoundNamedRelation | BoundDerived;

export interface JoinedRelation {
  readonly relation: LeafRelation;
  /** ON condition of a LEFT JOIN, whose row may be missing. */
  readonly on?: readonly TypedExpression[];
}

export interface JoinedRelations {
  readonly relations: readonly JoinedRelation[];
  /** The conditions of the inner joins on the whole row. */
  readonly conditions: readonly TypedExpression[];
}

/** The relations of a FROM in one list, or a sentence that says why this is not possible. */
export function joinedRelations(from: BoundRelation): JoinedRelations | string {
  if (from.kind !== 'join') return { relations: [{ relation: from }], conditions: [] };
  const { type } = from;
  if (type === 'RIGHT' || type === 'FULL') return `it has a ${type} JOIN`;
  const left = joinedRelations(from.left);
  if (typeof left === 'string') return left;
  if (type === 'LEFT') {
    if (from.right.kind === 'join') return 'it has a join on the right of a LEFT JOIN';
    return { ...left, relations: [...left.relations, { relation: from.right, on: conjuncts(from.on) }] };
  }
  const right = joinedRelations(from.right);
  if (typeof right === 'string') return right;
  return {
    relations: [...left.relations, ...right.relations],
    conditions: [...left.conditions, ...right.conditions, ...conjuncts(from.on)],
  };
}
