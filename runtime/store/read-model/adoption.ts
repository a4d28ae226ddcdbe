/**
 * From one registry's tables to the next one's. A table that has rows is extended in place where that provably gives what a replay
 * would give (new columns that no stored event fills, a larger scale); anything else is built aside from the log and swapped in.
 */
import type { AggregateTable, ReadModelDefinition } from '../../contract/read-model.ts';
import { fail } from '../../failure/failure.ts';
import { typeName, type Type } from '../../values/type.ts';
import type { Bookkeeping } from './bookkeeping.ts';
import { createViews, type FoldBuilds } from './fold-adoption.ts';
import { quoted, type Database } from './sqlite.ts';
import {
  asideTable,
  columnDeclaration,
  createEventTables,
  eventTable,
  payloadColumn,
  plannerStatistics,
  tagTable,
} from './tables.ts';

export type TableStep =
  | { readonly step: 'keep' | 'create' | 'rebuild'; readonly table: AggregateTable }
  | { readonly step: 'extend'; readonly table: AggregateTable; readonly statements: readonly string[] };

export interface Adoption {
  readonly definition: ReadModelDefinition;
  readonly steps: readonly TableStep[];
  /** Aggregates whose tables go. */
  readonly dropped: readonly string[];
  readonly generation: number;
}

/** Decides what must be done; changes nothing but the generation. */
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
  if (before === undefined) return { step: kept.isNoted(table.aggregate, '', '') ? 'rebuild' : 'create', table };
  if (JSON.stringify(before) === JSON.stringify(table)) return { step: 'keep', table };
  const empty = database.rows(`SELECT 1 FROM ${quoted(eventTable(table.aggregate))} LIMIT 1`).length === 0;
  if (empty) return { step: 'create', table };
  const statements = sameMeaning(kept, before, table) ? extension(before, table) : undefined;
  return statements === undefined ? { step: 'rebuild', table } : { step: 'extend', table, statements };
}

/** Whether every stored event reads the same by both, but for columns that only the new one has. */
function sameMeaning(kept: Bookkeeping, before: AggregateTable, table: AggregateTable): boolean {
  const old = new Map(before.events.map((event) => [event.name, event]));
  const gone = before.events.some((event) => !table.events.some(({ name }) => name === event.name));
  if (gone) return false;
  return table.events.every((event) => {
    const fields = new Map((old.get(event.name)?.fields ?? []).map((field) => [field.name, field]));
    if (!old.has(event.name)) return !kept.isNoted(table.aggregate, event.name, '');
    const lost = [...fields.keys()].some((name) => !event.fields.some((field) => field.name === name));
    if (lost) return false;
    return event.fields.every((field) => {
      const known = fields.get(field.name);
      if (known === undefined)
        return !field.tag && !kept.isNoted(table.aggregate, event.name, field.name.toLowerCase());
      return known.tag === field.tag && known.volatile === field.volatile;
    });
  });
}

/** Undefined where a column cannot be carried over in place. */
function extension(before: AggregateTable, table: AggregateTable): readonly string[] | undefined {
  const events = quoted(eventTable(table.aggregate));
  const statements: string[] = [];
  const old = new Map(before.payload.map((column) => [column.name, column.type]));
  if (before.payload.some(({ name }) => !table.payload.some((column) => column.name === name))) return undefined;
  for (const { name, type } of table.payload) {
    const from = old.get(name);
    const column = quoted(payloadColumn(name));
    if (from === undefined) statements.push(`ALTER TABLE ${events} ADD COLUMN ${column} ${columnDeclaration(type)}`);
    else {
      const factor = conversion(from, type);
      if (factor === undefined) return undefined;
      if (factor !== 1n)
        statements.push(`UPDATE ${events} SET ${column} = ${column} * ${factor} WHERE ${column} IS NOT NULL`);
    }
  }
  return statements;
}

/** By what stored values of one type become those of the other; undefined when it is not so simple. */
function conversion(from: Type, to: Type): bigint | undefined {
  if (JSON.stringify(from) === JSON.stringify(to)) return 1n;
  if (from.kind === 'STRING' && to.kind === 'STRING') return 1n;
  if (to.kind === 'BIGINT') return from.kind === 'INT' ? 1n : undefined;
  if (to.kind !== 'DECIMAL') return undefined;
  const scale = from.kind === 'DECIMAL' ? from.scale : from.kind === 'INT' || from.kind === 'BIGINT' ? 0 : undefined;
  return scale === undefined || scale > to.scale ? undefined : 10n ** BigInt(to.scale - scale);
}

/** Makes the tables that a rebuild fills, beside those that are read meanwhile. */
export function createAside(database: Database, adoption: Adoption): readonly AggregateTable[] {
  const rebuilt = adoption.steps.filter(({ step }) => step === 'rebuild').map(({ table }) => table);
  for (const table of rebuilt) {
    dropTables(database, table.aggregate, asideTable);
    for (const statement of createEventTables(table, asideTable, adoption.generation)) database.run(statement);
  }
  return rebuilt;
}

/** Puts the definition in force. Inside a transaction of the caller, who rolls back when it throws. */
export function swapTables(database: Database, kept: Bookkeeping, adoption: Adoption, folds: FoldBuilds): void {
  const { definition, generation } = adoption;
  folds.finish();
  for (const [view] of database.rows(`SELECT name FROM sqlite_schema WHERE type = 'view'`)) {
    database.run(`DROP VIEW ${quoted(String(view))}`);
  }
  for (const aggregate of adoption.dropped) {
    const events = quoted(eventTable(aggregate));
    const held = database.rows(`SELECT 1 FROM ${events} LIMIT 1`).length > 0;
    dropTables(database, aggregate, (name) => name);
    kept.forgetNotes(aggregate);
    if (held) kept.note(aggregate, '', '');
  }
  for (const step of adoption.steps) applyStep(database, step, generation);
  setStatistics(database, adoption);
  folds.swap();
  createViews(database, definition);
  replaceMeta(database, definition);
  kept.setDefinition(definition);
}

function applyStep(database: Database, step: TableStep, generation: number): void {
  const { table } = step;
  switch (step.step) {
    case 'keep':
      return;
    case 'create':
      dropTables(database, table.aggregate, (name) => name);
      for (const statement of createEventTables(table, (name) => name, generation)) database.run(statement);
      return;
    case 'extend':
      for (const statement of step.statements) database.run(statement);
      checkIntegers(database, table);
      return;
    case 'rebuild':
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

/** A product past 64 bits becomes a REAL without a word. */
function checkIntegers(database: Database, table: AggregateTable): void {
  for (const { name, type } of table.payload) {
    if (columnDeclaration(type) !== 'INTEGER') continue;
    const column = quoted(payloadColumn(name));
    const real = `SELECT 1 FROM ${quoted(eventTable(table.aggregate))} WHERE typeof(${column}) = 'real' LIMIT 1`;
    if (database.rows(real).length > 0)
      throw fail('R0202', { type: typeName(type), where: `${table.aggregate}.${name}` });
  }
}

function setStatistics(database: Database, { definition, steps, generation }: Adoption): void {
  const made = new Set(steps.filter(({ step }) => step === 'create' || step === 'rebuild').map(({ table }) => table));
  database.run('ANALYZE sqlite_schema'); // makes sqlite_stat1 without looking at our tables
  for (const table of definition.aggregates.filter((candidate) => made.has(candidate))) {
    database.run('DELETE FROM sqlite_stat1 WHERE tbl = ?', [eventTable(table.aggregate)]);
    for (const row of plannerStatistics(table, generation)) {
      database.run('INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)', row);
    }
  }
  database.run('ANALYZE sqlite_schema'); // loads them
}

function replaceMeta(database: Database, definition: ReadModelDefinition): void {
  const old = database.rows(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'm$%' AND name <> 'm$inspections'`,
  );
  for (const [name] of old) database.run(`DROP TABLE ${quoted(String(name))}`);
  for (const { name, columns, rows } of definition.meta) {
    const bare = name.replace(/^meta_/, '');
    if (bare === 'inspections') continue;
    const table = quoted(`m$${bare}`);
    const declared = columns.map((column) => `${quoted(column.name)} ${columnDeclaration(column.type)}`);
    database.run(`CREATE TABLE ${table} (${declared.join(', ')})`);
    const insert = database.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`);
    for (const row of rows) insert.run(row.map((cell) => (typeof cell === 'boolean' ? Number(cell) : cell)));
    insert.free();
  }
}
