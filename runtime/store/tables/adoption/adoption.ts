/**
 * Changes the tables of one registry into those of the next. A table with rows is extended in place when that provably
 * gives the result of a replay (new columns that no stored event fills, wider types with the same stored form);
 * anything else is built aside from the log and swapped in.
 */
import type { AggregateTable, ReadModelDefinition } from '../../../../language/contract/read-model.ts';
import type { Type } from '../../../../language/values/type.ts';
import type { Bookkeeping } from '../core/bookkeeping.ts';
import type { FoldBuilds } from './fold-adoption.ts';
import { makeMetaAhead, metaTable, replaceMeta } from './meta-tables.ts';
import type { Ahead } from '../core/ahead.ts';
import { makeViewsAhead, replaceViews } from './view-adoption.ts';
import { makeSharedAhead, replaceShared } from '../core/shared-views.ts';
import { quoted, type Database } from '../core/engine.ts';
import { dropFoldIndexes } from '../core/fold-tables.ts';
import {
  asideTable,
  columnDeclaration,
  createEventTables,
  eventTable,
  payloadColumn,
  plannerStatistics,
  tagTable,
} from '../core/tables.ts';

export type TableStep =
  /** `fresh`: nothing of this name exists, so that it can be created ahead. */
  | { readonly step: 'create'; readonly table: AggregateTable; readonly fresh: boolean }
  | { readonly step: 'keep' | 'rebuild'; readonly table: AggregateTable }
  | { readonly step: 'extend'; readonly table: AggregateTable; readonly statements: readonly string[] };

export interface Adoption {
  readonly definition: ReadModelDefinition;
  readonly steps: readonly TableStep[];
  /** Aggregates whose tables are removed. */
  readonly dropped: readonly string[];
  readonly generation: number;
}

/** Plans the necessary steps; changes nothing but the generation. */
export function planAdoption(database: Database, kept: Bookkeeping, definition: ReadModelDefinition): Adoption {
  const before = new Map((kept.definition()?.aggregates ?? []).map((table) => [table.aggregate, table]));
  const after = new Set(definition.aggregates.map((table) => table.aggregate));
  return {
    definition,
    steps: definition.aggregates.map((table) => planTable(database, kept, before.get(table.aggregate), table)),
    dropped: [...before.keys()].filter((aggregate) => !after.has(aggregate)),
    generation: kept.nextGeneration(),
  };
}

function planTable(
  database: Database,
  kept: Bookkeeping,
  before: AggregateTable | undefined,
  table: AggregateTable,
): TableStep {
  if (before === undefined)
    return kept.isHidden(table.aggregate, '', '') ? { step: 'rebuild', table } : { step: 'create', table, fresh: true };
  if (JSON.stringify(before) === JSON.stringify(table)) return { step: 'keep', table };
  if (!holdsEvents(database, table.aggregate)) return { step: 'create', table, fresh: false };
  const statements =
    sameMeaning(kept, before, table) && !hasLeftover(database, before) ? extension(before, table) : undefined;
  return statements === undefined ? { step: 'rebuild', table } : { step: 'extend', table, statements };
}

/** Whether events were added since to a table that was planned as empty: the plan would lose them. */
export function isOvertaken(database: Database, kept: Bookkeeping, { steps }: Adoption): boolean {
  const before = new Set((kept.definition()?.aggregates ?? []).map(({ aggregate }) => aggregate));
  return steps.some(({ step, table: { aggregate } }) => {
    if (step !== 'create') return false;
    return before.has(aggregate) ? holdsEvents(database, aggregate) : kept.isHidden(aggregate, '', '');
  });
}

function holdsEvents(database: Database, aggregate: string): boolean {
  return database.rows(`SELECT 1 FROM ${quoted(eventTable(aggregate))} LIMIT 1`).length > 0;
}

/** Whether the table has columns of an extension that was prepared and never came into force. */
function hasLeftover(database: Database, table: AggregateTable): boolean {
  const columns = database.rows(`SELECT name FROM pragma_table_info(?) WHERE name GLOB 'd$*'`, [
    eventTable(table.aggregate),
  ]);
  return columns.length !== table.payload.length;
}

/** Whether every stored event reads the same under both, except for columns that only the new one has. */
function sameMeaning(kept: Bookkeeping, before: AggregateTable, table: AggregateTable): boolean {
  const old = new Map(before.events.map((event) => [event.name, event]));
  const gone = before.events.some((event) => !table.events.some(({ name }) => name === event.name));
  if (gone) return false;
  return table.events.every((event) => {
    // A clause reads what was stored in another way, so its tables are built from the log.
    if (JSON.stringify(event.upcasts ?? []) !== JSON.stringify(old.get(event.name)?.upcasts ?? [])) return false;
    const fields = new Map((old.get(event.name)?.fields ?? []).map((field) => [field.name, field]));
    if (!old.has(event.name)) return !kept.isHidden(table.aggregate, event.name, '');
    const lost = [...fields.keys()].some((name) => !event.fields.some((field) => field.name === name));
    if (lost) return false;
    return event.fields.every((field) => {
      const known = fields.get(field.name);
      if (known === undefined)
        return !field.tag && !kept.isHidden(table.aggregate, event.name, field.name.toLowerCase());
      return known.tag === field.tag && known.volatile === field.volatile;
    });
  });
}

/** Undefined when a column cannot be kept in place. */
function extension(before: AggregateTable, table: AggregateTable): readonly string[] | undefined {
  const events = quoted(eventTable(table.aggregate));
  const statements: string[] = [];
  const old = new Map(before.payload.map((column) => [column.name, column.type]));
  if (before.payload.some(({ name }) => !table.payload.some((column) => column.name === name))) return undefined;
  for (const { name, type } of table.payload) {
    const from = old.get(name);
    const column = quoted(payloadColumn(name));
    if (from === undefined) statements.push(`ALTER TABLE ${events} ADD COLUMN ${column} ${columnDeclaration(type)}`);
    else if (!isStoredAlike(from, type)) return undefined;
  }
  return statements;
}

/** Whether a value of one type is stored in the same form in the other. */
function isStoredAlike(from: Type, to: Type): boolean {
  if (JSON.stringify(from) === JSON.stringify(to)) return true;
  if (from.kind === 'STRING' && to.kind === 'STRING') return true;
  if (to.kind === 'BIGINT') return from.kind === 'INT';
  if (to.kind !== 'DECIMAL') return false;
  const scale = from.kind === 'DECIMAL' ? from.scale : from.kind === 'INT' || from.kind === 'BIGINT' ? 0 : undefined;
  return scale === to.scale;
}

/**
 * Creates the tables that a rebuild fills while the present ones are read, and extends others: reads and writes under the definition in
 * force only use the columns that it names.
 */
export function createAside(database: Database, adoption: Adoption): readonly AggregateTable[] {
  database.run(loadStatistics); // creates sqlite_stat1 without analysing any table
  for (const step of adoption.steps)
    if (step.step === 'extend') for (const statement of step.statements) database.run(statement);
  const rebuilt = adoption.steps.filter(({ step }) => step === 'rebuild').map(({ table }) => table);
  for (const table of rebuilt) {
    dropTables(database, table.aggregate, asideTable);
    for (const statement of createEventTables(table, asideTable, adoption.generation)) database.run(statement);
  }
  return rebuilt;
}

/**
 * Puts the definition in force. Inside a transaction of the caller, who rolls back when it throws. `mayGoOn` is called
 * between statements, and throws when commands have waited long enough.
 */
export function swapTables(
  database: Database,
  kept: Bookkeeping,
  adoption: Adoption,
  { folds, ahead }: { readonly folds: FoldBuilds; readonly ahead: Ahead },
  mayGoOn: () => void,
): void {
  const { definition } = adoption;
  folds.finish();
  for (const aggregate of adoption.dropped) {
    mayGoOn();
    const held = holdsEvents(database, aggregate);
    dropTables(database, aggregate, (name) => name);
    kept.forgetHidden(aggregate);
    if (held) kept.recordHidden(aggregate, '', '');
  }
  for (const step of adoption.steps) {
    mayGoOn();
    applyStep(database, step, adoption);
  }
  if (adoption.steps.some((step) => step.step === 'rebuild' || (step.step === 'create' && !step.fresh)))
    database.run(loadStatistics);
  folds.swap(mayGoOn);
  replaceShared(database, definition);
  replaceViews(database, definition, ahead, mayGoOn);
  replaceMeta(database, kept.definition(), definition, ahead);
  kept.setDefinition(definition);
}

function applyStep(database: Database, step: TableStep, adoption: Adoption): void {
  const { table } = step;
  switch (step.step) {
    case 'keep':
    case 'extend': // done aside before
      return;
    case 'create':
      if (step.fresh) return;
      dropTables(database, table.aggregate, (name) => name);
      createTables(database, table, adoption);
      return;
    case 'rebuild':
      setStatistics(database, table, adoption);
      dropTables(database, table.aggregate, (name) => name);
      for (const name of [eventTable(table.aggregate), tagTable(table.aggregate)]) {
        database.run(`ALTER TABLE ${quoted(asideTable(name))} RENAME TO ${quoted(name)}`);
      }
      return;
  }
}

function dropTables(database: Database, aggregate: string, named: (table: string) => string): void {
  for (const table of [eventTable(aggregate), tagTable(aggregate)]) {
    database.run(`DROP TABLE IF EXISTS ${quoted(named(table))}`);
  }
}

function createTables(database: Database, table: AggregateTable, adoption: Adoption): void {
  for (const statement of createEventTables(table, (name) => name, adoption.generation)) database.run(statement);
  setStatistics(database, table, adoption);
}

const loadStatistics = 'ANALYZE sqlite_schema';

/** Writes the selectivity of an event index; SQLite uses it once it is loaded. */
function setStatistics(database: Database, table: AggregateTable, { generation }: Adoption): void {
  database.run('DELETE FROM sqlite_stat1 WHERE tbl = ?', [eventTable(table.aggregate)]);
  for (const row of plannerStatistics(table, generation))
    database.run('INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)', row);
}

/**
 * Creates everything with a new name, one step each: the tables of new aggregates and folds, new views, the rows of the
 * meta tables. So the swap, for which commands wait, has little left to do. Each step inside a transaction of the
 * caller.
 */
export function* makeAhead(
  database: Database,
  kept: Bookkeeping,
  adoption: Adoption,
  { folds, ahead }: { readonly folds: FoldBuilds; readonly ahead: Ahead },
): Generator<undefined, void> {
  const { definition } = adoption;
  for (const step of adoption.steps) {
    if (step.step !== 'create' || !step.fresh) continue;
    createTables(database, step.table, adoption);
    yield;
  }
  database.run(loadStatistics);
  yield* folds.makeAhead();
  yield* makeSharedAhead(database, definition);
  yield* makeViewsAhead(database, definition, folds, ahead);
  ahead.meta = yield* makeMetaAhead(database, kept.definition(), definition);
  kept.prepareDefinition(definition);
}

/** Removes tables and indexes created ahead for a change that never came into force. Inside a transaction of the caller. */
export function dropLeftovers(database: Database, definition: ReadModelDefinition | undefined): void {
  const { aggregates = [], meta = [], sqlite } = definition ?? {};
  const { views = [], folds = [], shared = [] } = sqlite ?? {};
  const own = new Set([
    ...aggregates.flatMap(({ aggregate }) => [eventTable(aggregate), tagTable(aggregate)]),
    ...views.map(({ name }) => name),
    ...[...folds, ...shared].map(({ table }) => table),
    ...[{ name: 'meta_inspections' }, ...meta].map(metaTable),
  ]);
  const made = database.rows(
    `SELECT type, name FROM sqlite_schema WHERE type = 'view' OR (type = 'table' AND substr(name, 1, 2) IN ('e$', 't$', 'f$', 'q$', 'n$', 'm$'))`,
  );
  for (const [type, name] of made)
    if (!own.has(String(name))) database.run(`DROP ${type === 'view' ? 'VIEW' : 'TABLE'} ${quoted(String(name))}`);
  dropFoldIndexes(database, folds);
}
