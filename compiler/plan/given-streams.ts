import type { TypedExpression } from '../../language/catalog/expression.ts';
import { conjunction, conjuncts } from '../../language/catalog/map-expression.ts';
import type { BoundNamedRelation, BoundQuery, BoundRelation } from '../../language/catalog/query.ts';
import { truthType } from '../analyse/typed/typed.ts';
import { givenId } from './as-of.ts';

/**
 * The query, in which events of a given stream ask for the state of that stream alone, and not for all streams that are visible. Takes a query with
 * conditions of visible rows.
 */
export function givenStreams(query: BoundQuery): BoundQuery {
  const { body } = query;
  if (body.kind !== 'select' || body.from === undefined) return query;
  return { ...query, body: { ...body, from: narrowed(body.from, conjuncts(body.where)) } };
}

function narrowed(relation: BoundRelation, given: readonly TypedExpression[]): BoundRelation {
  if (relation.kind === 'join' && (relation.type === 'INNER' || relation.type === 'CROSS'))
    return { ...relation, left: narrowed(relation.left, given), right: narrowed(relation.right, given) };
  return relation.kind === 'relation' && relation.source.kind === 'events' ? ofStream(relation, given) : relation;
}

function ofStream(relation: BoundNamedRelation, given: readonly TypedExpression[]): BoundNamedRelation {
  const { visible } = relation;
  const id = givenId(relation, given, (column) => column === 'stream_id' || column === 'aggregate_id');
  if (id === undefined || visible?.kind !== 'in-query' || visible.query.body.kind !== 'select') return relation;
  const { body } = visible.query;
  const [own] = body.items;
  if (own === undefined) return relation;
  const isOwn: TypedExpression = {
    kind: 'call',
    function: 'equal',
    arguments: [own, id],
    type: truthType,
    nullable: true,
    sensitive: false,
  };
  const where = conjunction([isOwn, ...conjuncts(body.where)]);
  const query = { ...visible.query, body: { ...body, ...(where && { where }) } };
  return { ...relation, visible: { ...visible, query } };
}
