/**
 * Rows that a caller may see (docs/callers.md#visible). Takes a query of a caller, gives it with a condition at each of its relations, which is tested
 * before any expression of the caller meets a row.
 */
import type { AggregateBlock, ProjectionBlock, RowClauses } from '../../language/catalog/block.ts';
import { findBlock, type Catalog } from '../../language/catalog/catalog.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';
import { mapExpression } from '../../language/catalog/map-expression.ts';
import type { BoundNamedRelation, BoundQuery, BoundRelation, RelationSource } from '../../language/catalog/query.ts';
import type { Type } from '../../language/values/type.ts';
import { literal, truthType } from '../analyse/typed/typed.ts';
import { readRelations } from '../analyse/typed/walk.ts';
import { idsOf, renumbered } from './renumbered.ts';
import { rowsFor, type CallerFacts, type Rows } from './rows-for.ts';

/** The registry behind a relation, and the facts about the caller by it. */
export interface Behind {
  readonly catalog: Catalog;
  readonly caller: CallerFacts;
}

/** The query, in which each relation of the registry has the rows that the caller may see. `behind` takes the name of an event store. */
export function visibleRows(query: BoundQuery, behind: (store: string | undefined) => Behind): BoundQuery {
  if (!readRelations(query).some(({ store, source }) => blockOf(source, behind(store).catalog)?.visible !== undefined))
    return query;
  return JSON.parse(JSON.stringify(query), (_key, part: unknown) => {
    // A condition that is there already was put by a plan of the past.
    if (!isNamed(part) || part.visible !== undefined) return part;
    const visible = conditionOf(part, behind(part.store));
    return visible === undefined ? part : { ...part, visible };
  }) as BoundQuery;
}

/** The block whose clauses rule the rows of a relation. */
export function blockOf(source: RelationSource, catalog: Catalog): AggregateBlock | ProjectionBlock | undefined {
  if (source.kind === 'projection') return findBlock(catalog, 'projection', source.projection);
  return 'aggregate' in source ? findBlock(catalog, 'aggregate', source.aggregate) : undefined;
}

/** Bound queries are plain data, in which only relations have this kind. */
function isNamed(part: unknown): part is BoundNamedRelation {
  return typeof part === 'object' && part !== null && 'kind' in part && part.kind === 'relation';
}

/** The condition of a clause over an instance of the relation; undefined if it holds for all rows. */
export function conditionOf(
  { id, source }: BoundNamedRelation,
  { catalog, caller }: Behind,
  clause: 'visible' | 'clear' = 'visible',
): TypedExpression | undefined {
  const block = blockOf(source, catalog);
  if (block === undefined) return undefined;
  const rows = rowsOf(block[clause], caller);
  const ids = idsOf(id) + ownIds[clause];
  if (block.kind === 'projection' || source.kind !== 'events') return onRelation(id, rows, ids);
  const inner = ids - 1;
  const condition = onRelation(inner, rows, ids);
  return condition && ofVisibleStream(id, { block, id: inner, condition });
}

/** The rows for which a clause holds. */
export function rowsOf(clause: RowClauses['visible'], caller: CallerFacts): Rows {
  return clause === undefined || clause === 'all' ? 'all' : rowsFor(clause.condition, caller);
}

/** Ids of a clause's own subqueries, apart from those that a plan of the past gives. */
const ownIds = { visible: 500_000, clear: 700_000 } as const;

/** The condition over an instance of its relation. */
function onRelation(id: number, rows: Rows, ids: number): TypedExpression | undefined {
  if (rows === 'all') return undefined;
  if (rows === 'none') return literal(false, truthType);
  const bounded = mapExpression(rows, (part) => (part.kind === 'in-query' ? { ...part, bounded: true } : undefined));
  return renumbered(bounded, (inner) => (inner === 0 ? id : ids + inner));
}

/** Streams whose state satisfies a condition over the instance `id` of it. */
interface Streams {
  readonly block: Pick<AggregateBlock, 'name' | 'state'>;
  readonly id: number;
  readonly condition: TypedExpression;
}

/** Whether an event of an instance, or a state, is of a stream that is visible by its state. */
export function ofVisibleStream(
  relation: number,
  streams: Streams,
  column: 'stream_id' | 'aggregate_id' = 'stream_id',
): TypedExpression {
  if (streams.condition.kind === 'literal') return streams.condition;
  return {
    kind: 'in-query',
    operand: column === 'stream_id' ? idColumn(relation, column) : idOfState(streams.block, relation),
    query: idsOfStreams(streams.block, stateRelation(streams), streams.condition),
    negated: false,
    type: truthType,
    nullable: false,
    sensitive: false,
  };
}

function stateRelation({ block, id }: Streams): BoundNamedRelation {
  return { kind: 'relation', id, source: { kind: 'state', aggregate: block.name } };
}

/** The ids of streams whose rows of a relation of states satisfy a condition. */
export function idsOfStreams(
  block: Streams['block'],
  from: Exclude<BoundRelation, { readonly kind: 'join' }>,
  condition: TypedExpression,
): BoundQuery {
  return {
    columns: [{ name: 'aggregate_id', type: text, nullable: false, sensitive: false }],
    recursive: false,
    with: [],
    body: {
      kind: 'select',
      distinct: false,
      items: [idOfState(block, from.id)],
      from,
      where: condition,
      groupBy: [],
      aggregated: false,
    },
    orderBy: [],
  };
}

const text: Type = { kind: 'STRING' };

/** The id of a stream is a text; a KEY field of that name may have another type, of which each value has one text. */
function idOfState({ state }: Streams['block'], relation: number): TypedExpression {
  const type = state.columns.find(({ name }) => name.toLowerCase() === 'aggregate_id')?.type ?? text;
  const column: TypedExpression = { ...idColumn(relation, 'aggregate_id'), type };
  if (type.kind === 'STRING' || type.kind === 'UUID') return column;
  return { kind: 'cast', operand: column, mode: 'explicit', type: text, nullable: false, sensitive: false };
}

function idColumn(relation: number, column: string): TypedExpression {
  return { kind: 'column', relation, column, type: text, nullable: false, sensitive: false };
}
