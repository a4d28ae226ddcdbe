import {
  compileQuery,
  findBlock,
  parseQuery,
  planAsOf,
  visibleThen,
  type BoundQuery,
  type Catalog,
  type Registry,
} from '../../../compiler/index.ts';
import type { Column, CompiledQuery } from '../../../language/contract/query.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import type { Selection, SortBy } from '../../../language/contract/selection.ts';
import type { Value } from '../../../language/values/type.ts';
import type { Asker } from '../asker.ts';
import { bind } from './bind.ts';
import type { CompiledSet } from './sets-now.ts';
import { selectionText, valuesOf, type Selected } from './selection-text.ts';

export interface CompiledSelection {
  readonly query: CompiledQuery;
  readonly parameters: readonly Value[];
}

/** A selection of a place as of a moment, with the questions about the present that decide which of its rows are shown. */
export interface SelectionThen {
  readonly query: CompiledQuery;
  readonly sets: readonly CompiledSet[];
  readonly parametersWith: (present: ReadonlyMap<string, Value>) => readonly Value[];
}

/** A selection in a place as of a moment, for the present caller by whom its rows are chosen. */
export function selectThen(domain: Domain, registry: Registry, selection: Selection, asker: Asker): SelectionThen {
  const { catalog } = registry;
  const then = visibleThen(bindSelection(domain, registry, selection, { ...asker, isMasked: false }), catalog);
  const query = compileQuery(then.query, catalog);
  const sets = then.sets.map(({ query: set, ...facts }): CompiledSet => {
    const compiledSet = compileQuery(set, catalog);
    return { ...facts, query: compiledSet, parameters: givenTo(compiledSet, asker, () => null) };
  });
  const values = valuesOf(selection);
  return {
    query,
    sets,
    parametersWith: (present) =>
      givenTo(query, asker, (name) => (present.has(name) ? present.get(name) : values[Number(name.slice(1))]) ?? null),
  };
}

/** The values of a query's parameters: parts of the caller, and others by name. */
function givenTo(
  { parameters }: CompiledQuery,
  asker: Asker | undefined,
  named: (name: string) => Value,
): readonly Value[] {
  return parameters.map(({ name, caller }) => (caller === undefined ? named(name) : (asker?.value(caller) ?? null)));
}

/** The compiled queries of a domain's selections, by all that is not a value. */
const compiled = new WeakMap<Domain, { readonly catalog: Catalog; readonly queries: Map<string, CompiledQuery> }>();

/** Pages and streams repeat a few selections; others come once. */
const mostQueries = 256;

/**
 * A selection as a query, with the values of its parameters; selections that differ in values share a query, as do callers that differ in the
 * values of their subject and claims. `asker`: the caller by whom its rows are chosen.
 */
export function selectRelation(
  domain: Domain,
  registry: Registry,
  selection: Selection,
  asker?: Asker,
): CompiledSelection {
  const { catalog } = registry;
  if (selection.until !== undefined && selection.relation.endsWith('$Agg')) {
    const { until, ...state } = selection;
    const bound = upTo(bindSelection(domain, registry, state, asker && { ...asker, isMasked: false }), catalog, until);
    return withValues(compileQuery(bound, catalog), state, asker);
  }
  const queries = queriesOf(domain, catalog);
  const shape = shapeOf(selection) + classOf(domain, selection, asker);
  let query = queries.get(shape);
  if (query === undefined) {
    query = compileQuery(bindSelection(domain, registry, selection, asker), catalog);
    if (queries.size >= mostQueries) queries.clear();
    queries.set(shape, query);
  }
  return withValues(query, selection, asker);
}

function withValues(query: CompiledQuery, selection: Selection, asker: Asker | undefined): CompiledSelection {
  const values = valuesOf(selection);
  return { query, parameters: givenTo(query, asker, (name) => values[Number(name.slice(1))] ?? null) };
}

/** Callers of a class have the same roles and NULLs, as far as the relation's clause reads them. */
function classOf(domain: Domain, { relation }: Selection, asker: Asker | undefined): string {
  if (asker === undefined) return '';
  const { visible = [], clear = [] } = relationOf(domain, relation);
  const facts = [asker.seesAll, asker.isMasked].map(Number).join('');
  return `\0for${facts}${[...visible, ...clear].map((part) => Number(part.of === 'role' ? asker.hasRole(part.role) : asker.isNull(part))).join('')}`;
}

function queriesOf(domain: Domain, catalog: Catalog): Map<string, CompiledQuery> {
  const before = compiled.get(domain);
  if (before?.catalog === catalog) return before.queries;
  const queries = new Map<string, CompiledQuery>();
  compiled.set(domain, { catalog, queries });
  return queries;
}

/** All that is not a value, as one text. Parts that most selections have are put together without JSON. */
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

/** A selection as a bound query, of the rows that the caller may see. */
export function bindSelection(domain: Domain, registry: Registry, selection: Selection, asker?: Asker): BoundQuery {
  const selected = selectedOf(domain, selection.relation);
  const { text, given } = selectionText(selection, selected, orderOf(selection, registry.catalog));
  const parsed = parseQuery({ name: 'selection', text });
  const bound =
    parsed.outcome === 'query' ? bind(registry, parsed.query, { tables: [], cleared: true, given, asker }) : parsed;
  if ('value' in bound && bound.value !== undefined) return bound.value;
  throw new Error(`${text}: ${bound.diagnostics.map(({ message }) => message).join('; ')}`);
}

/** The state of one stream is computed from its events up to a position, by a query that has the position in it. */
function upTo(bound: BoundQuery, catalog: Catalog, position: bigint): BoundQuery {
  const plan = planAsOf(bound, catalog);
  if (plan.by !== 'streams') throw new Error('only the state of one stream is read up to a position');
  const facts = { type: { kind: 'BIGINT' }, nullable: false, sensitive: false } as const;
  return plan.until({ ...facts, kind: 'literal', value: String(position) });
}

function selectedOf(domain: Domain, relation: string): Selected {
  const found = relationOf(domain, relation);
  if ('columns' in found) return { columns: found.columns, events: [] };
  const { stateColumns, eventColumns, events } = found;
  return relation.endsWith('$Agg') ? { columns: stateColumns, events: [] } : { columns: eventColumns, events };
}

function relationOf(
  { projections, aggregates }: Domain,
  relation: string,
): Domain['projections'][number] | Domain['aggregates'][number] {
  const found =
    projections.find(({ name }) => name === relation) ??
    aggregates.find(({ name }) => relation === `${name}$Agg` || relation === `${name}$Events`);
  if (found === undefined) throw new Error(`no relation ${relation} in this domain`);
  return found;
}

/** The keys of a selection, then the order of its relation, so that pages fit. */
function orderOf({ relation, order }: Selection, catalog: Catalog): readonly SortBy[] {
  const all = [...order, ...ownOrder(relation, catalog, order.length > 0)];
  return all.filter(({ column }, index) => all.findIndex((key) => key.column === column) === index);
}

/** `total`: rows that are equal in it are the same in every column that could show a difference. */
function ownOrder(relation: string, catalog: Catalog, total: boolean): readonly SortBy[] {
  if (relation.endsWith('$Events')) return [ascending('global_position')];
  if (relation.endsWith('$Agg')) return [ascending('aggregate_id')];
  const { columns = [], orderBy = [] } = findBlock(catalog, 'projection', relation)?.query ?? {};
  const own = orderBy.flatMap(({ direction, nulls, ...key }): readonly SortBy[] => {
    const column = key.by === 'output' ? columns[key.index] : undefined;
    return column === undefined ? [] : [{ column: column.name, direction, nulls }];
  });
  return total ? [...own, ...columns.filter(isPlain).map(({ name }) => ascending(name))] : own;
}

/** The order of sensitive values is not to be seen. */
function isPlain({ type, sensitive, hidden }: Column): boolean {
  return !sensitive && hidden !== true && type.kind !== 'STRUCT' && type.kind !== 'LIST';
}

function ascending(column: string): SortBy {
  return { column, direction: 'ASC', nulls: 'LAST' };
}
