/**
 * Tables that contain the rows of a view while one statement reads them (`language/sqlite/read-model.ts`,
 * `SharedView`).
 */
import type { ReadModelDefinition } from '../../../../language/contract/read-model.ts';
import type { SharedView } from '../../../../language/sqlite/read-model.ts';
import { quoted, type Database } from './engine.ts';
import { columnDeclaration } from './tables.ts';

/** Fills the tables, runs the work, and removes the rows again; inside a transaction or outside. */
export function withShared<T>(
  database: Database,
  definition: ReadModelDefinition | undefined,
  views: readonly string[],
  work: () => T,
): T {
  return database.undone(() => {
    fillShared(database, definition, views);
    return work();
  });
}

/** Inside a transaction of the caller, who empties them or rolls back. */
export function fillShared(
  database: Database,
  definition: ReadModelDefinition | undefined,
  views: readonly string[] = [],
): void {
  for (const { view, table } of found(definition, views))
    database.run(`INSERT INTO ${quoted(table)} SELECT * FROM ${quoted(view)}`);
}

export function emptyShared(
  database: Database,
  definition: ReadModelDefinition | undefined,
  views: readonly string[] = [],
): void {
  for (const { table } of found(definition, views)) database.run(`DELETE FROM ${quoted(table)}`);
}

function found(definition: ReadModelDefinition | undefined, views: readonly string[]): readonly SharedView[] {
  const known = new Map((definition?.sqlite.shared ?? []).map((shared) => [shared.view, shared]));
  return views.flatMap((view) => known.get(view) ?? []);
}

/** Creates those with new names. */
export function* makeSharedAhead(
  database: Database,
  { sqlite: { shared = [] } }: ReadModelDefinition,
): Generator<undefined, void> {
  const there = new Set(database.rows(`SELECT name FROM sqlite_schema WHERE name GLOB 'q$*'`).map(([name]) => name));
  for (const view of shared) {
    if (there.has(view.table)) continue;
    database.run(createTableText(view));
    yield;
  }
}

/** Creates the tables of a definition, and removes others. Inside a transaction of the caller. */
export function replaceShared(database: Database, { sqlite: { shared = [] } }: ReadModelDefinition): void {
  const texts = new Map(shared.map((view) => [view.table, createTableText(view)]));
  const kept = new Set<string>();
  for (const [name, text] of database.rows(
    `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name GLOB 'q$*'`,
  )) {
    if (texts.get(String(name)) === text) kept.add(String(name));
    else database.run(`DROP TABLE ${quoted(String(name))}`);
  }
  for (const [name, text] of texts) if (!kept.has(name)) database.run(text);
}

function createTableText({ table, columns }: SharedView): string {
  const declared = columns.map(({ name, type }) => `${quoted(name)} ${columnDeclaration(type)}`);
  return `CREATE TABLE ${quoted(table)} (${declared.join(', ')})`;
}
