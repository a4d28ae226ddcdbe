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
  type BoundNamedRelation,
  type BoundQuery,
} from '../../compiler/index.ts';
import { isStandingRelation } from '../../language/contract/standing.ts';
import { reactionRelations } from '../../language/contract/reaction-relations.ts';
import type { Column, CompiledQuery } from '../../language/contract/query.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import { unmasked } from '../../runtime/engine/unmasked.ts';
import { commandColumns, commandRows } from '../registry/recorded-commands.ts';
import { reactionRows } from '../registry/reaction-rows.ts';
import { withStandings } from '../../runtime/standing/standings.ts';
import { selectRelation } from '../registry/select/select-relation.ts';
import type { TableColumn, TableRows } from '../../runtime/store/store.ts';
import type { StatementContext } from './context.ts';
import { placeOf, type Place } from './place.ts';
import { boundedPages } from './recorded-pages.ts';

/** A table that a query reads: its name in the read model, and its columns. */
interface ReadTable {
  readonly physical: string;
  readonly columns: readonly Column[];
}

export interface PlacedQuery {
  readonly place: Place;
  readonly query: CompiledQuery;
  /** Removes the copies. */
  readonly done: () => Promise<void>;
}

/** Finds the place of a query and compiles it there; the caller reports when it is `done`. */
export async function placeQuery(context: StatementContext, query: BoundQuery): Promise<PlacedQuery> {
  const relations = readRelations(query).filter(({ source }) => source.kind !== 'common');
  const registered = relations.filter(({ source }) => source.kind !== 'session');
  const places = new Set(registered.map(({ store }) => placeOf(context, store)));
  const own = context.own;
  const [only] = places;
  const place = places.size === 1 && only !== undefined ? only : own;
  const copies: string[] = [];
  const tables = new Map<string, ReadTable>(context.tables.all().map((table) => [table.name, table]));
  const done = async (): Promise<void> => {
    for (const physical of copies) await place.engine.store.dropTable(physical);
  };
  const copyTo = async (columns: readonly TableColumn[], rows: TableRows): Promise<ReadTable> => {
    const physical = `s$copy_${++copied}`;
    copies.push(physical);
    await place.engine.store.putTable(physical, columns, rows);
    return { physical, columns };
  };
  try {
    const read = relations.flatMap(({ source }) => (source.kind === 'session' ? [source.table] : []));
    await context.tables.ready(read);
    for (const name of place === own ? [] : new Set(read)) {
      const table = context.tables.find(name);
      if (table === undefined) continue;
      const { physical } = await copyTo(table.stored, () => context.tables.pages(table));
      tables.set(table.name, { physical, columns: table.columns });
    }
    for (const name of new Set(read)) {
      const aggregate = aggregateOfCommands(name);
      if (aggregate === undefined) continue;
      const { engine, registry } = context.reg;
      const { catalog } = registry;
      const columns = commandColumns(catalog, aggregate);
      tables.set(
        name,
        await copyTo(columns, () => boundedPages(context, commandRows(engine.store, catalog, aggregate))),
      );
    }
    for (const name of new Set(read)) {
      const table = reactionOfTable(name);
      if (table === undefined) continue;
      const { reaction, relation } = table;
      tables.set(
        name,
        await copyTo(reactionRelations[relation], () => reactionRows(context.reg.engine, reaction, relation)),
      );
    }
    const replaced = new Map<number, string>();
    for (const relation of registered) {
      const from = placeOf(context, relation.store);
      const { source } = relation;
      const shown =
        from.engine === context.engine &&
        source.kind === 'meta' &&
        isStandingRelation(source.relation) &&
        source.relation;
      if (from === place && shown === false) continue;
      const name = `copy ${relation.id}`;
      const stored = await wholeRelation(from, relation);
      const whole = shown === false ? stored : withStandings(stored, shown, await context.standings(shown, () => true));
      tables.set(name, await copyTo(whole.columns, whole.rows));
      replaced.set(relation.id, name);
    }
    const placed = replaced.size === 0 ? query : withTables(query, replaced);
    return { place, query: compileQuery(placed, place.registry.catalog, { tables }), done };
  } catch (error) {
    await done();
    throw error;
  }
}

/** Names of copies are unique among all sessions of this process. */
let copied = 0;

/** All rows of a registered relation, hidden columns too, in its own order. */
async function wholeRelation({ engine, registry }: Place, { source }: BoundNamedRelation): Promise<Table> {
  const domain = engine.domain();
  const { catalog } = registry;
  const select = (relation: string, known: readonly Column[] | undefined) =>
    selectRelation(domain, catalog, {
      relation,
      columns: (known ?? []).map(({ name }) => name),
      filters: [],
      order: [],
    });
  const whole = (): { readonly query: CompiledQuery } => {
    switch (source.kind) {
      case 'events': {
        const found = domain.aggregates.find(({ name }) => name === source.aggregate);
        return select(`${source.aggregate}$Events`, found?.eventColumns);
      }
      case 'state': {
        const found = domain.aggregates.find(({ name }) => name === source.aggregate);
        return select(`${source.aggregate}$Agg`, found?.stateColumns);
      }
      case 'projection': {
        const found = domain.projections.find(({ name }) => name === source.projection);
        return select(source.projection, found?.columns);
      }
      case 'meta':
        return { query: compileQuery(metaRelationQuery(source.relation), catalog, {}) };
      default:
        throw new Error(`a ${source.kind} relation belongs to no store`);
    }
  };
  return unmasked(await engine.query(whole().query, [], {}));
}

/** The query with tables in place of some relations. Bound queries are plain data. */
function withTables(query: BoundQuery, tables: ReadonlyMap<number, string>): BoundQuery {
  return JSON.parse(JSON.stringify(query), (_key, part: unknown) => {
    if (!isNamedRelation(part)) return part;
    const table = tables.get(part.id);
    return table === undefined ? part : { kind: 'relation', id: part.id, source: { kind: 'session', table } };
  }) as BoundQuery;
}

function isNamedRelation(part: unknown): part is BoundNamedRelation {
  return (
    typeof part === 'object' &&
    part !== null &&
    'source' in part &&
    'id' in part &&
    'kind' in part &&
    part.kind === 'relation'
  );
}
