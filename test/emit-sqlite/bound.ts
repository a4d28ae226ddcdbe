/** Bound queries and catalogs by hand, for what no text of the language says. */
import type { Column } from '../../language/contract/query.ts';
import type { Type } from '../../language/values/type.ts';
import type { AggregateBlock, EventBlock } from '../../language/catalog/block.ts';
import { createCatalog, type Catalog } from '../../language/catalog/catalog.ts';
import type { LiteralShape, TypedExpression } from '../../language/catalog/expression.ts';
import type { BoundQuery, BoundRelation, BoundSelect, RelationSource } from '../../language/catalog/query.ts';

export const STRING: Type = { kind: 'STRING' };
export const INT: Type = { kind: 'INT' };
export const BIGINT: Type = { kind: 'BIGINT' };
export const DOUBLE: Type = { kind: 'DOUBLE' };
export const BOOLEAN: Type = { kind: 'BOOLEAN' };
export const TIMESTAMP: Type = { kind: 'TIMESTAMP' };
export const DATE: Type = { kind: 'DATE' };
export const INTERVAL: Type = { kind: 'INTERVAL' };
export const JSON_: Type = { kind: 'JSON' };
export function decimal(precision: number, scale: number): Type {
  return { kind: 'DECIMAL', precision, scale };
}

const facts = { nullable: true, sensitive: false } as const;

export function literal(value: LiteralShape['value'], type: Type): TypedExpression {
  return { kind: 'literal', value, type, nullable: value === null, sensitive: false };
}
export function column(name: string, type: Type, relation = 0): TypedExpression {
  return { kind: 'column', relation, column: name, type, ...facts };
}
export function argument(name: string, type: Type): TypedExpression {
  return { kind: 'argument', name, type, ...facts };
}
export function call(name: string, type: Type, ...args: TypedExpression[]): TypedExpression {
  return { kind: 'call', function: name, arguments: args, type, ...facts };
}
export function relation(source: RelationSource, id = 0): BoundRelation {
  return { kind: 'relation', id, source };
}
export function events(aggregate: string, id = 0): BoundRelation {
  return relation({ kind: 'events', aggregate }, id);
}

/** `SELECT items FROM …` with whatever other clauses; columns are named `a`, `b`, …. */
export function select(
  items: readonly TypedExpression[],
  clauses: Partial<BoundSelect> = {},
  query: Partial<BoundQuery> = {},
): BoundQuery {
  const body: BoundSelect = { kind: 'select', distinct: false, items, groupBy: [], aggregated: false, ...clauses };
  const columns = items.map(({ type, nullable, sensitive }, index): Column => ({
    name: String.fromCharCode(97 + index),
    type,
    nullable,
    sensitive,
  }));
  return { columns, recursive: false, with: [], body, orderBy: [], ...query };
}

type Fields = Readonly<Record<string, Type | readonly [Type, 'SENSITIVE' | 'VOLATILE' | 'TAG']>>;

export function event(name: string, fields: Fields): EventBlock {
  const declared = Object.entries(fields).map(([field, given]) => {
    const [type, mark] = 'kind' in given ? [given, undefined] : given;
    return { name: field, type, sensitive: mark === 'SENSITIVE', volatile: mark === 'VOLATILE', tag: mark === 'TAG' };
  });
  return { kind: 'event', name, fields: declared, version: 1, text: '', references: [] };
}

/** An aggregate that takes these events; its state is their count. */
export function aggregate(name: string, taken: readonly EventBlock[]): AggregateBlock {
  const payload = new Map<string, Column>();
  for (const block of taken) {
    for (const { name: field, type, sensitive } of block.fields)
      payload.set(field, { name: field, type, nullable: true, sensitive });
  }
  const state = select(
    [
      column('stream_id', STRING),
      { kind: 'aggregate', function: 'COUNT', arguments: [], distinct: false, orderBy: [], type: BIGINT, ...facts },
    ],
    { from: events(name), groupBy: [column('stream_id', STRING)], aggregated: true },
  );
  return {
    kind: 'aggregate',
    name,
    fields: [],
    events: taken.map((block) => block.name),
    payload: [...payload.values()],
    eventColumns: [],
    state,
    initial: [],
    text: '',
    references: [],
  };
}

export function catalogOf(name: string, ...taken: EventBlock[]): Catalog {
  return createCatalog([...taken, aggregate(name, taken)]);
}
