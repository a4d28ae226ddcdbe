import {
  compileQuery,
  planAsOf,
  type BoundQuery,
  type Catalog,
  type RelationSource,
  type TypedExpression,
} from '../../../compiler/index.ts';
import type { Column, CompiledQuery } from '../../../language/contract/query.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import type { Selection } from '../../../language/contract/selection.ts';
import type { Value } from '../../../language/values/type.ts';
import { conditionOf, reference, ROW, valuesOf, type Restriction } from './condition.ts';
import { orderOf } from './order.ts';

/** The compiled queries of a domain's selections, by all that is not a value. */
const compiled = new WeakMap<Domain, { readonly catalog: Catalog; readonly queries: Map<string, CompiledQuery> }>();

/** Pages and streams repeat a few selections; others come once. */
const mostQueries = 256;

/** Compiles a selection as the query that a person would write for it; selections that differ in values share a query. */
export function selectRelation(
  domain: Domain,
  catalog: Catalog,
  selection: Selection,
): { readonly query: CompiledQuery; readonly parameters: readonly Value[] } {
  if (selection.until !== undefined && selection.relation.endsWith('$Agg'))
    return selectUntil(domain, catalog, selection);
  const queries = queriesOf(domain, catalog);
  const shape = shapeOf(selection);
  let query = queries.get(shape);
  if (query === undefined) {
    query = compileSelection(domain, catalog, selection);
    if (queries.size >= mostQueries) queries.clear();
    queries.set(shape, query);
  }
  return { query, parameters: parametersOf(query, selection) };
}

/** Events have their position; a state of one stream is computed from the events up to it. */
function selectUntil(
  domain: Domain,
  catalog: Catalog,
  { until, ...selection }: Selection,
): ReturnType<typeof selectRelation> {
  const query = compileSelection(domain, catalog, selection, until);
  return { query, parameters: parametersOf(query, selection) };
}

function parametersOf({ parameters }: CompiledQuery, restriction: Restriction): readonly Value[] {
  const values = valuesOf(restriction);
  return parameters.map(({ name }) => values[Number(name.slice(1))] ?? null);
}

function queriesOf(domain: Domain, catalog: Catalog): Map<string, CompiledQuery> {
  const before = compiled.get(domain);
  if (before?.catalog === catalog) return before.queries;
  const queries = new Map<string, CompiledQuery>();
  compiled.set(domain, { catalog, queries });
  return queries;
}

/** All that is not a value, as one text: of the parts that are there for most selections, put together without JSON. */
function shapeOf({ relation, columns, filters, after, until, limit, offset, order }: Selection): string {
  let shape = `${relation}\0${columns === 'count' ? '\0count' : columns.join('\0')}\0\0`;
  for (const filter of filters) {
    shape += `${filter.column}\0${filter.test}\0`;
    if (filter.test === 'in') shape += `${filter.values.length}\0`;
    else if (filter.test === 'is_null') shape += `${filter.holds}\0`;
  }
  if (after !== undefined) shape += '\0after';
  if (until !== undefined) shape += '\0until';
  if (limit !== undefined || offset !== undefined || order.length > 0) shape += JSON.stringify([limit, offset, order]);
  return shape;
}

/** `until`: the position up to which the state of a stream is computed. */
function compileSelection(domain: Domain, catalog: Catalog, selection: Selection, until?: bigint): CompiledQuery {
  const { relation } = selection;
  const { source, columns: known } = relationOf(domain, relation);
  const named = (name: string): Column => columnOf(known, name, relation);
  const items =
    selection.columns === 'count' ? [count] : selection.columns.map((name) => itemOf(domain, known, name, relation));
  const isCount = selection.columns === 'count';
  const where = conditionOf(selection, named);
  const bound: BoundQuery = {
    columns: items.map(({ column }) => column),
    recursive: false,
    with: [],
    body: {
      kind: 'select',
      distinct: false,
      items: items.map(({ expression }) => expression),
      from: { kind: 'relation', id: ROW, source },
      ...(where === undefined ? {} : { where }),
      groupBy: [],
      aggregated: isCount,
    },
    orderBy: isCount ? [] : orderOf(selection, source, catalog, named),
    ...(isCount ? {} : pageOf(selection)),
  };
  return compileQuery(until === undefined ? bound : upTo(bound, catalog, until), catalog, {});
}

function upTo(bound: BoundQuery, catalog: Catalog, position: bigint): BoundQuery {
  const plan = planAsOf(bound, catalog);
  if (plan.by !== 'streams') throw new Error('only the state of one stream is read up to a position');
  const facts = { type: { kind: 'BIGINT' }, nullable: false, sensitive: false } as const;
  return plan.until({ ...facts, kind: 'literal', value: String(position) });
}

function pageOf({ limit, offset }: Selection): Pick<BoundQuery, 'limit' | 'offset'> {
  return {
    ...(limit === undefined ? {} : { limit: number(limit) }),
    ...(offset === undefined ? {} : { offset: number(offset) }),
  };
}

function relationOf(
  domain: Domain,
  relation: string,
): { readonly source: RelationSource; readonly columns: readonly Column[] } {
  const [, name = '', suffix] = /^(.*?)(\$Agg|\$Events)?$/.exec(relation) ?? [];
  if (suffix === undefined) {
    const projection = domain.projections.find((candidate) => candidate.name === name);
    if (projection !== undefined)
      return { source: { kind: 'projection', projection: name }, columns: projection.columns };
  } else {
    const aggregate = domain.aggregates.find((candidate) => candidate.name === name);
    if (aggregate !== undefined)
      return suffix === '$Agg'
        ? { source: { kind: 'state', aggregate: name }, columns: aggregate.stateColumns }
        : { source: { kind: 'events', aggregate: name }, columns: aggregate.eventColumns };
  }
  throw new Error(`no relation ${relation} in this domain`);
}

interface Item {
  readonly column: Column;
  readonly expression: TypedExpression;
}

function itemOf(domain: Domain, columns: readonly Column[], name: string, relation: string): Item {
  if (name === 'data IS NOT NULL') return dataPresence(domain, columns, relation);
  const column = name.startsWith('data.') ? leafOf(columns, name, relation) : columnOf(columns, name, relation);
  return { column, expression: reference(column) };
}

/** A payload object exists for each type of event that the aggregate has now, and for no earlier type. */
function dataPresence(domain: Domain, columns: readonly Column[], relation: string): Item {
  const operand = reference(columnOf(columns, 'event_type', relation));
  const aggregate = domain.aggregates.find(({ name }) => `${name}$Events` === relation);
  const facts = { type: { kind: 'BOOLEAN' }, nullable: false, sensitive: false } as const;
  const list = (aggregate?.events ?? []).map((name): TypedExpression => ({
    ...facts,
    kind: 'literal',
    value: name,
    type: operand.type,
  }));
  const expression: TypedExpression =
    list.length === 0
      ? { ...facts, kind: 'literal', value: false }
      : { ...facts, kind: 'in-list', operand, list, negated: false };
  return { column: { ...facts, name: 'data IS NOT NULL' }, expression };
}

function leafOf(columns: readonly Column[], name: string, relation: string): Column {
  const data = columnOf(columns, 'data', relation);
  const fields = data.type.kind === 'STRUCT' ? data.type.fields : [];
  const field = fields.find((candidate) => `data.${candidate.name}` === name);
  if (field === undefined) throw new Error(`no field ${name} in ${relation}`);
  return { name, type: field.type, nullable: true, sensitive: data.sensitive || field.sensitive === true };
}

function columnOf(columns: readonly Column[], name: string, relation: string): Column {
  const column = columns.find((candidate) => candidate.name === name);
  if (column === undefined) throw new Error(`no column ${name} in ${relation}`);
  return column;
}

function number(value: number): TypedExpression {
  return { kind: 'literal', value: String(value), type: { kind: 'BIGINT' }, nullable: false, sensitive: false };
}

const counted = { type: { kind: 'BIGINT' }, nullable: false, sensitive: false } as const;
const count: Item = {
  column: { name: 'count', ...counted },
  expression: { ...counted, kind: 'aggregate', function: 'COUNT', arguments: [], distinct: false, orderBy: [] },
};
