/**
 * Plans a query as of a moment of the past (docs/language.md#the-past). Takes a bound query; decides whether the
 * events of a few streams are enough, and gives the query over these events alone.
 */
import type { AggregateBlock } from '../../language/catalog/block.ts';
import { findBlock, type Catalog } from '../../language/catalog/catalog.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';
import { conjunction, conjuncts } from '../../language/catalog/map-expression.ts';
import type { BoundNamedRelation, BoundQuery, BoundRelation, BoundSelect } from '../../language/catalog/query.ts';
import type { Type } from '../../language/values/type.ts';
import { readRelations } from '../analyse/typed/walk.ts';
import { isKeyOf } from './key-type.ts';
import { idsOf, renumbered } from './renumbered.ts';
import { idsOfStreams, ofVisibleStream } from './visible-rows.ts';

/** `registry`: the query reads the registry of that moment. */
export type AsOfPlan =
  /** Each relation of events has a given stream, so that the query reads the events of these streams only. */
  | { readonly by: 'streams'; readonly registry: false; readonly until: (position: TypedExpression) => BoundQuery }
  /** The query reads no events, but the registry of that moment. */
  | { readonly by: 'registry'; readonly registry: true }
  /** The query reads nothing of the store. */
  | { readonly by: 'nothing'; readonly registry: false }
  /** Its relations are computed as they were then, from a snapshot or the log. */
  | { readonly by: 'history'; readonly registry: boolean };

const positionFacts = { type: { kind: 'BIGINT' }, nullable: false, sensitive: false } as const;

/** A position that is given with the query, by this name. */
export const givenPosition: TypedExpression = { ...positionFacts, kind: 'argument', name: 'as_of' };

export function planAsOf(query: BoundQuery, catalog: Catalog): AsOfPlan {
  const relations = readRelations(query).filter(({ source }) => source.kind !== 'session' && source.kind !== 'common');
  const registry = relations.some(({ source }) => source.kind === 'meta');
  if (relations.length === 0) return { by: 'nothing', registry: false };
  if (relations.every(({ source }) => source.kind === 'meta' && source.relation !== 'meta_inspections'))
    return { by: 'registry', registry: true };
  const { body } = query;
  const streams = registry || body.kind !== 'select' ? undefined : streamsOf(body, catalog, relations);
  if (body.kind !== 'select' || streams === undefined) return { by: 'history', registry };
  return {
    by: 'streams',
    registry: false,
    until: (position) => ({ ...query, body: cutSelect(body, streams, position) }),
  };
}

interface Stream {
  readonly relation: BoundNamedRelation;
  /** The given id, of the type of a stream's id. */
  readonly id: TypedExpression;
  readonly state?: {
    readonly block: AggregateBlock;
    readonly query: BoundQuery;
    readonly body: BoundSelect;
    readonly from: BoundNamedRelation;
  };
}

/** The stream of every relation; undefined if one of them has none, or is not in the FROM of the query itself. */
function streamsOf(
  body: BoundSelect,
  catalog: Catalog,
  all: readonly BoundNamedRelation[],
): readonly Stream[] | undefined {
  const named = body.from === undefined ? [] : joinedWithin(body.from);
  const own = named.filter(({ source }) => source.kind !== 'session');
  if (own.length !== all.length) return undefined;
  const given = conjuncts(body.where);
  const streams = own.map((relation) => streamOf(relation, given, catalog));
  return streams.every((stream) => stream !== undefined) ? streams : undefined;
}

/** The named relations of a FROM whose joins never add rows of NULLs; empty for any other. */
function joinedWithin(relation: BoundRelation): readonly BoundNamedRelation[] {
  if (relation.kind === 'relation') return [relation];
  if (relation.kind === 'derived' || (relation.type !== 'INNER' && relation.type !== 'CROSS')) return [];
  const left = joinedWithin(relation.left);
  const right = joinedWithin(relation.right);
  return left.length === 0 || right.length === 0 ? [] : [...left, ...right];
}

function streamOf(
  relation: BoundNamedRelation,
  given: readonly TypedExpression[],
  catalog: Catalog,
): Stream | undefined {
  const { source, store } = relation;
  if (store !== undefined) return undefined;
  if (source.kind === 'events') {
    const id = givenId(relation, given, (column) => column === 'stream_id' || column === 'aggregate_id');
    return id === undefined ? undefined : { relation, id };
  }
  if (source.kind !== 'state') return undefined;
  const state = stateOf(findBlock(catalog, 'aggregate', source.aggregate));
  if (state === undefined) return undefined;
  const id = givenId(relation, given, (column) => {
    const at = state.query.columns.findIndex(({ name }) => name.toLowerCase() === column);
    return isStreamId(state.body.items[at], state.from.id);
  });
  return id === undefined ? undefined : { relation, id, state };
}

/** The query of a state, if it is one group of events for each stream. */
function stateOf(block: AggregateBlock | undefined): Stream['state'] {
  const query = block?.state;
  if (block === undefined || query === undefined || query.with.length > 0 || query.body.kind !== 'select')
    return undefined;
  const { body } = query;
  const { from, groupBy } = body;
  if (from?.kind !== 'relation' || from.source.kind !== 'events') return undefined;
  return groupBy.length === 1 && isStreamId(groupBy[0], from.id) ? { block, query, body, from } : undefined;
}

/** The id of a stream, or a cast of it: each value of these types has one text as an id. */
function isStreamId(expression: TypedExpression | undefined, relation: number): boolean {
  const inner =
    expression?.kind === 'cast' && ['INT', 'BIGINT', 'UUID', 'STRING'].includes(expression.type.kind)
      ? expression.operand
      : expression;
  if (inner?.kind !== 'column' || inner.relation !== relation) return false;
  return inner.column === 'stream_id' || inner.column === 'aggregate_id';
}

/** The given id of a relation, as a text: one of its columns equals it. */
export function givenId(
  { id }: BoundNamedRelation,
  given: readonly TypedExpression[],
  isId: (column: string) => boolean,
): TypedExpression | undefined {
  for (const condition of given) {
    if (condition.kind !== 'call' || condition.function !== 'equal') continue;
    const [left, right] = condition.arguments;
    if (left === undefined || right === undefined || !isKeyOf(left.type, right.type)) continue;
    for (const [side, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const isOwn = side.kind === 'column' && side.relation === id && isId(side.column.toLowerCase());
      if (isOwn && isConstant(other)) return asText(other);
    }
  }
  return undefined;
}

function isConstant(expression: TypedExpression): boolean {
  if (expression.kind === 'cast') return isConstant(expression.operand);
  return expression.kind === 'literal' || expression.kind === 'argument';
}

const text: Type = { kind: 'STRING' };

function asText(given: TypedExpression): TypedExpression {
  if (given.type.kind === 'STRING' || given.type.kind === 'UUID') return given;
  const { nullable, sensitive } = given;
  return { kind: 'cast', operand: given, mode: 'explicit', type: text, nullable, sensitive };
}

/** Parameters of `streamsThen`. */
export const streamsThenNames = { ids: 'ids', position: 'position' } as const;

/** The ids of those streams of a list whose state as of a position satisfied a condition over the state, whose columns are those of relation 0. */
export function streamsThen(block: AggregateBlock, condition: TypedExpression): BoundQuery {
  const state = stateOf(block);
  if (state === undefined) throw new Error(`the state of ${block.name} is no group of events for each stream`);
  const { query, body, from } = state;
  const list: Type = { kind: 'LIST', of: text };
  const ids: TypedExpression = { ...positionFacts, kind: 'argument', name: streamsThenNames.ids, type: list };
  const position: TypedExpression = { ...positionFacts, kind: 'argument', name: streamsThenNames.position };
  const stream: TypedExpression = {
    ...positionFacts,
    kind: 'column',
    relation: from.id,
    column: 'stream_id',
    type: text,
  };
  const chosen: TypedExpression = { ...truth, kind: 'call', function: 'any_equal', arguments: [stream, ids] };
  const own = conjunction([...conjuncts(body.where), chosen, upTo(from.id, position)]);
  const cut = { ...query, body: { ...body, ...(own === undefined ? {} : { where: own }) } };
  const then = { kind: 'derived', id: 0, query: renumbered(cut, (inner) => idsOf(0) + inner) } as const;
  const where = renumbered(condition, (inner) => (inner === 0 ? 0 : idsOf(1) + inner));
  return idsOfStreams(block, then, where);
}

/** The select over events up to a position; for a state the events inside its query. */
function cutSelect(body: BoundSelect, streams: readonly Stream[], position: TypedExpression): BoundSelect {
  const cuts = streams.flatMap(({ relation, state }) => (state === undefined ? [upTo(relation.id, position)] : []));
  const where = conjunction([...conjuncts(body.where), ...cuts]);
  const from = body.from && replaced(body.from, streams, position);
  return { ...body, ...(from === undefined ? {} : { from }), ...(where === undefined ? {} : { where }) };
}

function replaced(relation: BoundRelation, streams: readonly Stream[], position: TypedExpression): BoundRelation {
  if (relation.kind === 'join')
    return {
      ...relation,
      left: replaced(relation.left, streams, position),
      right: replaced(relation.right, streams, position),
    };
  const stream = streams.find((candidate) => candidate.relation === relation);
  if (stream?.state === undefined || relation.kind !== 'relation') return relation;
  // Ids are unique in a whole query, and a state has the same ids each time it is read.
  const { block, query, body, from } = stream.state;
  const { id, visible } = relation;
  const inner = (own: number): number => idsOf(id) + own;
  const column: TypedExpression = {
    kind: 'column',
    relation: from.id,
    column: 'stream_id',
    type: text,
    nullable: false,
    sensitive: false,
  };
  const own = conjunction([...conjuncts(body.where), equal(column, stream.id), upTo(from.id, position)]);
  const cut: BoundSelect = { ...body, ...(own === undefined ? {} : { where: own }) };
  const past = renumbered({ ...query, body: cut }, inner);
  return { kind: 'derived', id, query: visible === undefined ? past : visibleNow(past, relation.id, block, visible) };
}

/** A stream that is visible by its state now is visible in its whole past. */
function visibleNow(past: BoundQuery, id: number, block: AggregateBlock, visible: TypedExpression): BoundQuery {
  const { body } = past;
  if (body.kind !== 'select' || body.from?.kind !== 'relation') return past;
  const now = idsOf(id) - 1;
  const condition = renumbered(visible, (own) => (own === id ? now : own));
  const chosen = ofVisibleStream(body.from.id, { block, id: now, condition });
  return { ...past, body: { ...body, from: { ...body.from, visible: chosen } } };
}

const truth = { type: { kind: 'BOOLEAN' }, nullable: false, sensitive: false } as const;

function equal(left: TypedExpression, right: TypedExpression): TypedExpression {
  return { ...truth, kind: 'call', function: 'equal', arguments: [left, right] };
}

function upTo(relation: number, position: TypedExpression): TypedExpression {
  const column: TypedExpression = { ...positionFacts, kind: 'column', relation, column: 'global_position' };
  return { ...truth, kind: 'call', function: 'less_equal', arguments: [column, position] };
}
