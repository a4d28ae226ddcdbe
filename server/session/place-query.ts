/**
 * Chooses where a bound query runs. Takes a query that may read several stores and the session's tables, gives one that reads a single
 * store, with data from elsewhere copied there for the duration of the query.
 */
import {
  aggregateOfCommands,
  reactionOfTable,
  compileQuery,
  metaRelationQuery,
  readRelations,
  visibleThen,
  type BoundNamedRelation,
  type BoundQuery,
  type Catalog,
} from '../../compiler/index.ts';
import { isStandingRelation } from '../../language/contract/standing.ts';
import { reactionRelations } from '../../language/contract/reaction-relations.ts';
import type { Column, CompiledQuery } from '../../language/contract/query.ts';
import { unmasked } from '../../runtime/engine/unmasked.ts';
import type { CompiledPlace } from '../place/place.ts';
import { commandColumns, commandRows } from '../registry/recorded-commands.ts';
import { reactionRows } from '../registry/reaction-rows.ts';
import { withStandings } from '../../runtime/delivery/standing.ts';
import { askerWith } from '../operation/asker.ts';
import { withCaller, withValues } from '../operation/bind/bind.ts';
import { bindSelection, selectRelation } from '../operation/bind/select-relation.ts';
import { setsNow } from '../operation/bind/sets-now.ts';
import { clear, visible } from '../operation/bind/visible.ts';
import { chooseStreams } from '../operation/bind/visible-streams.ts';
import type { Row, TableColumn, TableRows } from '../../runtime/store/store.ts';
import { placeOf, type StatementContext } from './context.ts';
import { fail } from '../../language/failure/failure.ts';
import { rowBytes } from '../../language/values/value-bytes.ts';

/** Rows that a query reads in addition to those of its store. */
interface Source {
  readonly columns: readonly TableColumn[];
  readonly rows: TableRows;
}

export interface PlacedQuery {
  readonly place: CompiledPlace;
  readonly query: CompiledQuery;
  /** Removes the copies. */
  readonly done: () => Promise<void>;
}

/** Finds the place of a query and compiles it there; the caller reports when it is `done`. */
export async function placeQuery(context: StatementContext, query: BoundQuery): Promise<PlacedQuery> {
  const relations = readRelations(query).filter(({ source }) => source.kind !== 'common');
  const registered = relations.filter(({ source }) => source.kind !== 'session');
  const [only = context.own, ...more] = new Set(registered.map(({ store }) => placeOf(context, store)));
  const place = more.length === 0 ? only : context.own;
  const { store } = place.engine;
  const copies: string[] = [];
  const done = async (): Promise<void> => {
    for (const physical of copies) await store.tables.dropTable(physical);
  };
  const tables = new Map<string, { readonly physical: string; readonly columns: readonly Column[] }>(
    context.tables.all().map((table) => [table.name, table]),
  );
  const copy = async (name: string, { columns, rows }: Source, shown: readonly Column[] = columns): Promise<void> => {
    const physical = `s$copy_${++copied}`;
    copies.push(physical);
    await store.tables.putTable(physical, columns, rows);
    tables.set(name, { physical, columns: shown });
  };
  try {
    const read = new Set(relations.flatMap(({ source }) => (source.kind === 'session' ? [source.table] : [])));
    await context.tables.ready([...read]);
    for (const name of read) {
      const table = place === context.own ? undefined : context.tables.find(name);
      const source = derivedSource(context, name);
      if (source !== undefined) await copy(name, source);
      else if (table !== undefined)
        await copy(table.name, { columns: table.stored, rows: () => context.tables.pages(table) }, table.columns);
    }
    const replaced = new Map<number, string>();
    for (const relation of registered) {
      const whole = await elsewhere(context, relation, place);
      if (whole === undefined) continue;
      replaced.set(relation.id, `copy ${relation.id}`);
      await copy(`copy ${relation.id}`, whole);
    }
    const placed = replaced.size === 0 ? query : withTables(query, replaced);
    const { catalog } = place.registry();
    const shown = await shownTo(context, placed, catalog);
    return { place, query: compileQuery(shown, catalog, { tables, spans: context.spans }), done };
  } catch (error) {
    await done();
    throw error;
  }
}

/**
 * The query with the values that CLEAR shows to the caller of the session (docs/callers.md#clear): only for rows that are shown now, so that no table
 * of the session has such a value.
 */
export function clearedFor(context: StatementContext, query: BoundQuery): BoundQuery {
  const { caller, present, own } = context;
  if (caller === undefined || present !== undefined) return query;
  const { catalog } = own.registry();
  const asker = askerWith(catalog.blocks.claim, caller);
  return clear(query, asker, (store) => placeOf(context, store).registry().catalog);
}

/** The query with the rows that the caller of the session may see, and with its parts in their places. */
async function shownTo(context: StatementContext, query: BoundQuery, catalog: Catalog): Promise<BoundQuery> {
  const { caller, present } = context;
  const asker = caller && askerWith(catalog.blocks.claim, caller);
  const catalogOf = (store: string | undefined): Catalog => placeOf(context, store).registry().catalog;
  const shown = withCaller(visible(query, asker, catalogOf), catalog, caller);
  if (asker === undefined || present === undefined) return shown;
  const { engine, registry } = present;
  const then = visibleThen(shown, catalog);
  const sets = then.sets.map((set) => ({ ...set, query: compileQuery(set.query, registry().catalog), parameters: [] }));
  const values = await setsNow(sets, (asked, given, limits) => engine.query(asked, given, limits));
  return withValues(then.query, values);
}

/** Names of copies are unique among all sessions of this process. */
let copied = 0;

/** The rows of a relation that is read from the log: recorded commands, and what reactions did or have still to do. */
function derivedSource(context: StatementContext, name: string): Source | undefined {
  const { engine, registry } = context.reg;
  const aggregate = aggregateOfCommands(name);
  if (aggregate !== undefined) {
    const { catalog } = registry();
    const columns = commandColumns(catalog, aggregate);
    const stream = columns.findIndex((column) => column.name === 'stream_id');
    const rows = (): AsyncIterable<readonly Row[]> =>
      visiblePages(
        context,
        aggregate,
        stream,
        boundedPages(context, commandRows(engine.store.log, catalog, aggregate)),
      );
    return { columns, rows };
  }
  const table = reactionOfTable(name);
  if (table === undefined) return undefined;
  const { reaction, relation } = table;
  return { columns: reactionRelations[relation], rows: () => reactionRows(engine, reaction, relation) };
}

/** The commands of streams that the caller of the session may see now. */
async function* visiblePages(
  context: StatementContext,
  aggregate: string,
  stream: number,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  const { caller } = context;
  const { engine, domain, registry } = context.present ?? context.reg;
  const known = registry();
  const asker = caller && askerWith(known.catalog.blocks.claim, caller);
  if (asker === undefined) {
    yield* pages;
    return;
  }
  for await (const page of pages) {
    const ids = [...new Set(page.map((row) => row[stream] as string))]; // the column is a STRING
    const seen = await chooseStreams(aggregate, ids, async (selection) => {
      const { query, parameters } = selectRelation(domain, known, selection, asker);
      return unmasked(await engine.query(query, parameters, {})).rows;
    });
    yield page.filter((row) => seen.has(row[stream] as string));
  }
}

/** The rows of a relation of another place, or of one that says how far something has come, which the store does not know. */
async function elsewhere(
  context: StatementContext,
  { store, source }: BoundNamedRelation,
  place: CompiledPlace,
): Promise<Source | undefined> {
  const from = placeOf(context, store);
  const standing =
    from.engine === context.engine && source.kind === 'meta' && isStandingRelation(source.relation)
      ? source.relation
      : undefined;
  if (from === place && standing === undefined) return undefined;
  const { catalog } = from.registry();
  const shown = await shownTo(context, wholeQuery(from, source), catalog);
  const whole = unmasked(await from.engine.query(compileQuery(shown, catalog), [], {}));
  return standing === undefined ? whole : withStandings(whole, standing, await context.standings(standing, () => true));
}

/** All rows of a registered relation, hidden columns too, in its own order. */
function wholeQuery({ domain, registry }: CompiledPlace, source: BoundNamedRelation['source']): BoundQuery {
  const known = registry();
  const select = (relation: string, columns: readonly Column[] = []): BoundQuery =>
    bindSelection(domain, known, { relation, columns: columns.map(({ name }) => name), filters: [], order: [] });
  const aggregateOf = (name: string) => domain.aggregates.find((aggregate) => aggregate.name === name);
  switch (source.kind) {
    case 'events':
      return select(`${source.aggregate}$Events`, aggregateOf(source.aggregate)?.eventColumns);
    case 'state':
      return select(`${source.aggregate}$Agg`, aggregateOf(source.aggregate)?.stateColumns);
    case 'projection':
      return select(source.projection, domain.projections.find(({ name }) => name === source.projection)?.columns);
    case 'meta':
      return metaRelationQuery(source.relation);
    default:
      throw new Error(`a ${source.kind} relation belongs to no store`);
  }
}

/** The query with tables in place of some relations. Bound queries are plain data, in which only relations have this kind. */
function withTables(query: BoundQuery, tables: ReadonlyMap<number, string>): BoundQuery {
  return JSON.parse(JSON.stringify(query), (_key, part: Partial<BoundNamedRelation> | null) => {
    const table = part?.kind === 'relation' && part.id !== undefined ? tables.get(part.id) : undefined;
    return table === undefined ? part : { kind: 'relation', id: part?.id, source: { kind: 'session', table } };
  }) as BoundQuery;
}

/**
 * Bytes of recorded commands that a query of a session may copy: the copy is in the read model, next to the data of a server that was
 * joined.
 */
const mostRecordedBytes = 256 * 1024 * 1024;

/** The pages as they come. Fails with R0301 past the limit, and with R0303 when the statement is to stop. */
export async function* boundedPages(
  { progress }: Pick<StatementContext, 'progress'>,
  pages: AsyncIterable<readonly Row[]>,
  most = mostRecordedBytes,
): AsyncGenerator<readonly Row[], void, undefined> {
  let [rows, bytes] = [0, 0];
  for await (const page of pages) {
    rows += page.length;
    for (const row of page) bytes += rowBytes(row);
    if (bytes > most) throw fail('R0301', { what: 'bytes', limit: String(most) });
    await progress(`${rows.toLocaleString('en')} recorded commands read`);
    yield page;
  }
}
