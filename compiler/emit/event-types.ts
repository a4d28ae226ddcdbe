import { findBlock, type Catalog } from '../catalog/catalog.ts';
import { conjuncts } from '../catalog/map-expression.ts';
import type { TypedExpression } from '../catalog/expression.ts';
import type { BoundNamedRelation, BoundQuery, BoundRelation, BoundSelect } from '../catalog/query.ts';
import { selectsOf } from './sqlite/shape.ts';

/**
 * The types of the events that a query looks at, directly or through other relations, sorted: all that can land in the aggregates it
 * reads, but where a WHERE names types (`event_type = 'A'`, `event_type IN ('A', 'B')`) only those.
 */
export function eventTypesOf(catalog: Catalog, query: BoundQuery): readonly string[] {
  const types = new Set<string>();
  for (const select of selectsOf(query)) {
    for (const relation of select.from === undefined ? [] : namedRelations(select.from)) {
      for (const type of typesOf(catalog, select, relation)) types.add(type);
    }
  }
  return [...types].sort();
}

function namedRelations(relation: BoundRelation): readonly BoundNamedRelation[] {
  if (relation.kind === 'relation') return [relation];
  return relation.kind === 'join' ? [...namedRelations(relation.left), ...namedRelations(relation.right)] : [];
}

function typesOf(catalog: Catalog, select: BoundSelect, { id, source }: BoundNamedRelation): readonly string[] {
  switch (source.kind) {
    case 'events': {
      const landing = findBlock(catalog, 'aggregate', source.aggregate)?.events ?? [];
      const named = conjuncts(select.where).flatMap((condition) => namedTypes(condition, id) ?? []);
      return named.length === 0 ? landing : landing.filter((type) => named.includes(type));
    }
    case 'state':
      return findBlock(catalog, 'aggregate', source.aggregate)?.events ?? [];
    case 'projection': {
      const read = findBlock(catalog, 'projection', source.projection);
      return read === undefined ? [] : eventTypesOf(catalog, read.query);
    }
    default:
      return [];
  }
}

/** The types that a condition leaves, or undefined where it is about something else. */
function namedTypes(condition: TypedExpression, relation: number): readonly string[] | undefined {
  const isType = (operand: TypedExpression): boolean =>
    operand.kind === 'column' && operand.relation === relation && operand.column === 'event_type';
  if (condition.kind === 'in-list') {
    return isType(condition.operand) && !condition.negated ? texts(condition.list) : undefined;
  }
  if (condition.kind !== 'call' || condition.function !== 'equal' || !condition.arguments.some(isType))
    return undefined;
  return texts(condition.arguments.filter((argument) => !isType(argument)));
}

function texts(values: readonly TypedExpression[]): readonly string[] | undefined {
  const known = values.flatMap((value) =>
    value.kind === 'literal' && typeof value.value === 'string' ? [value.value] : [],
  );
  return known.length === values.length ? known : undefined;
}
