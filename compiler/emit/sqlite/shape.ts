import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundQuery, BoundRelation, BoundSelect } from '../../../language/catalog/query.ts';
import { partsOf, visitExpression, visitQuery, walkExpression, walkQuery } from '../../analyse/typed/walk.ts';

/** Whether it contains a query. */
export function containsQuery(expression: TypedExpression): boolean {
  let found = false;
  walkExpression(expression, (part) => !(found ||= 'query' in part));
  return found;
}

/** Whether `holds` is true for any expression of the query, including those of inner queries. */
export function holdsAnywhere(query: BoundQuery, holds: (expression: TypedExpression) => boolean): boolean {
  let found = false;
  walkQuery(query, (part) => !(found ||= holds(part)));
  return found;
}

/** The relation instances of the columns in an expression, without those of inner queries. */
export function freeRelationsOf(expression: TypedExpression): ReadonlySet<number> {
  const named = new Set<number>();
  const brought = new Set<number>();
  visitExpression(expression, {
    expression: (part) => {
      if (part.kind === 'column') named.add(part.relation);
      return true;
    },
    relation: ({ id }) => brought.add(id),
  });
  return new Set([...named].filter((id) => !brought.has(id)));
}

/** The relation instances of the columns in an expression, ignoring queries in it. */
export function columnRelations(expression: TypedExpression): readonly number[] {
  return expression.kind === 'column' ? [expression.relation] : partsOf(expression).flatMap(columnRelations);
}

/** The relation instances of a FROM, from left to right. */
export function instancesOf(relation: BoundRelation): readonly number[] {
  return relation.kind === 'join' ? [...instancesOf(relation.left), ...instancesOf(relation.right)] : [relation.id];
}

/** Every SELECT of a query, including those of inner queries. */
export function selectsOf(query: BoundQuery): readonly BoundSelect[] {
  const selects: BoundSelect[] = [];
  visitQuery(query, { expression: () => true, select: (select) => selects.push(select) });
  return selects;
}

/** Whether the query provably gives at most one row. */
export function givesOneRowAtMost(query: BoundQuery): boolean {
  if (query.limit?.kind === 'literal' && (query.limit.value === 1 || query.limit.value === '1')) return true;
  const body = query.body;
  switch (body.kind) {
    case 'select':
      return body.from === undefined || (body.aggregated && body.groupBy.length === 0);
    case 'values':
      return body.rows.length === 1;
    case 'query':
      return givesOneRowAtMost(body.query);
    case 'set':
      return false;
  }
}
