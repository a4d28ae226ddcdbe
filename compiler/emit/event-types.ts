import { findBlock, type Catalog } from '../../language/catalog/catalog.ts';
import { conjuncts } from '../../language/catalog/map-expression.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';
import type { BoundNamedRelation, BoundQuery, BoundRelation, BoundSelect } from '../../language/catalog/query.ts';
import { selectsOf } from './sqlite/shape.ts';

/**
 * The types of the events that a query reads, directly or through other relations, sorted: all events of the aggregates
 * it reads, except that a WHERE on types (`event_type = 'A'`, `event_type IN ('A', 'B')`) leaves only those.
 */
export function eventTypesOf(catalog: Catalog, query: BoundQuery): readonly string[] {
  const types = new Set<string>();
  const seen = new Set<string>();
  const pending = [query];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const select of selectsOf(at)) {
      for (const relation of select.from === undefined ? [] : namedRelations(select.from)) {
        for (const type of typesOf(catalog, select, relation)) types.add(type);
        const { source } = relation;
        if (source.kind !== 'projection' || seen.has(source.projection)) continue;
        seen.add(source.projection);
        const read = findBlock(catalog, 'projection', source.projection);
        if (read !== undefined) pending.push(read.query);
      }
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
    default:
      return [];
  }
}

/** The types that a condition allows, or undefined when it is no condition on types. */
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
