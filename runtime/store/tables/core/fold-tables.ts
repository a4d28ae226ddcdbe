/**
 * Keeps the tables of folds up to date with the events, and the views that read them. A fold that fails to merge an
 * event (a division by zero, a sum past its column) is given up: its view scans from then on, and fails on that event
 * as any scan does. Nothing else stops.
 */
import type { ReadModelDefinition } from '../../../../language/contract/read-model.ts';
import type { FoldTable, ViewDefinition } from '../../../../language/sqlite/read-model.ts';
import { quoted, type Database, type Statement } from './engine.ts';
import { eventTable } from './tables.ts';

export interface FoldTables {
  /** Merges the events after that position into the folds of these aggregates. Inside a transaction of the caller. */
  readonly merge: (after: number, aggregates: ReadonlySet<string>) => void;
  /** After a rollback: a fold that was given up in the transaction is used again. */
  readonly reload: () => void;
  readonly free: () => void;
}

interface Kept {
  readonly fold: FoldTable;
  /** Prepared with the first event: a registry of a thousand aggregates has thousands. */
  merge?: Statement;
}

/** The folds of a definition whose tables exist. */
export function createFoldTables(database: Database, definition: ReadModelDefinition | undefined): FoldTables {
  const scans = new Map((definition?.sqlite.views ?? []).map((view) => [view.name, view]));
  let kept: Map<string, Kept[]> = new Map();
  let givenUp = false;

  const open = (): void => {
    kept = new Map();
    givenUp = false;
    const tables = foldTableNames(database);
    for (const fold of definition?.sqlite.folds ?? []) {
      if (!tables.has(fold.table)) continue;
      kept.set(fold.aggregate, [...(kept.get(fold.aggregate) ?? []), { fold }]);
    }
  };
  const free = (): void => {
    for (const { merge } of [...kept.values()].flat()) merge?.free();
  };
  const giveUp = ({ fold, merge }: Kept): void => {
    givenUp = true;
    merge?.free();
    kept.set(
      fold.aggregate,
      (kept.get(fold.aggregate) ?? []).filter((other) => other.fold !== fold),
    );
    for (const { name } of fold.readings) database.run(`DROP VIEW ${quoted(name)}`);
    database.run(`DROP TABLE ${quoted(fold.table)}`);
    for (const { name } of fold.readings) {
      const scan = scans.get(name);
      if (scan !== undefined) createView(database, scan);
    }
  };

  open();
  return {
    merge: (after, aggregates) => {
      for (const aggregate of aggregates) {
        for (const each of kept.get(aggregate) ?? []) {
          try {
            each.merge ??= database.prepare(mergeStatement(each.fold, each.fold.table, eventTable(aggregate)));
            each.merge.run([after, Number.MAX_SAFE_INTEGER]);
          } catch {
            giveUp(each);
          }
        }
      }
    },
    reload: () => {
      if (!givenUp) return;
      free();
      open();
    },
    free,
  };
}

export function createView(database: Database, view: ViewDefinition): void {
  database.run(createViewText(view));
  checkView(database, view.name);
}

/** Fails at once if the view is invalid, not on its first use. */
export function checkView(database: Database, name: string): void {
  database.prepare(`SELECT * FROM ${quoted(name)}`).free();
}

export function createViewText({ name, sql }: ViewDefinition): string {
  return `CREATE VIEW ${quoted(name)} AS ${sql}`;
}

export function foldTableNames(database: Database): ReadonlySet<string> {
  // In one row, which takes a fraction of the time: there may be thousands of views.
  const rows = database.rows(
    `SELECT json_group_array(name) FROM sqlite_schema WHERE type = 'table' AND name GLOB 'f$*'`,
  );
  return new Set(JSON.parse(String(rows[0]?.[0] ?? '[]')) as readonly string[]);
}

/**
 * Statements that create a fold's table under the name `table`. `generation` distinguishes its indexes from those of
 * the table that it replaces.
 */
export function createFoldTable(fold: FoldTable, table: string, generation: number): readonly string[] {
  const columns = fold.columns.map(({ name, type, as }) => {
    const declared = `${quoted(name)} ${type}`;
    if (as !== undefined) return `${declared} AS (${as}) VIRTUAL`;
    return fold.key.includes(name) ? `${declared} NOT NULL` : declared;
  });
  const key = fold.key.map(quoted).join(', ');
  const statements = [
    `CREATE TABLE ${quoted(table)} (${fold.about}${columns.join(', ')}, PRIMARY KEY (${key})) STRICT, WITHOUT ROWID`,
  ];
  if (fold.lookup !== undefined) {
    const index = quoted(`i$${fold.table}$${generation}`);
    statements.push(`CREATE INDEX ${index} ON ${quoted(table)} (${fold.lookup.map(quoted).join(', ')})`);
  }
  for (const column of fold.indexes ?? []) statements.push(createFoldIndex(fold, column, { table, generation }));
  if (fold.empty !== undefined)
    statements.push(`INSERT INTO ${quoted(table)} (${written(fold)}) VALUES (${fold.empty.join(', ')})`);
  return statements;
}

/** The statement that creates the index of a column by which rows of callers are found. */
export function createFoldIndex(
  { table: name }: FoldTable,
  column: string,
  { table, generation }: { readonly table: string; readonly generation: number },
): string {
  return `CREATE INDEX ${quoted(`i$${name}$${column}$${generation}`)} ON ${quoted(table)} (${quoted(column)})`;
}

/** The names of the indexes that `createFoldIndex` made, by table and column. */
export function foldIndexes(database: Database): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const found = new Map<string, Map<string, string>>();
  const rows = database.rows(
    `SELECT tbl_name, name FROM sqlite_schema WHERE type = 'index' AND name GLOB 'i$f$*$[ks][0-9]*$*'`,
  );
  for (const [table, name] of rows) {
    const [, column] = /\$([ks]\d+)\$\d+$/.exec(String(name)) ?? [];
    if (column === undefined) continue;
    const columns = found.get(String(table)) ?? new Map<string, string>();
    found.set(String(table), columns.set(column, String(name)));
  }
  return found;
}

/** Removes indexes that these folds do not have. */
export function dropFoldIndexes(database: Database, folds: readonly FoldTable[]): void {
  const wanted = new Map(folds.map(({ table, indexes = [] }) => [table, indexes]));
  for (const [table, columns] of foldIndexes(database))
    for (const [column, name] of columns)
      if (wanted.get(table)?.includes(column) === false) database.run(`DROP INDEX ${quoted(name)}`);
}

/**
 * Merges the events of `events` after position `?1` up to `?2`. Selected by position alone: with the index of a
 * condition SQLite would read all such events of the whole history.
 */
export function mergeStatement(fold: FoldTable, table: string, events: string): string {
  const where = fold.where === undefined ? '' : ` AND (${fold.where})`;
  const merge = fold.merge.length === 0 ? 'NOTHING' : `UPDATE SET ${fold.merge.join(', ')}`;
  return (
    `INSERT INTO ${quoted(table)} (${written(fold)}) SELECT ${fold.row.join(', ')} FROM ${quoted(events)} AS r0 NOT INDEXED` +
    ` WHERE r0.global_position > ?1 AND r0.global_position <= ?2${where} ORDER BY r0.global_position` +
    ` ON CONFLICT (${fold.key.map(quoted).join(', ')}) DO ${merge}`
  );
}

function written({ columns }: FoldTable): string {
  return columns.flatMap(({ name, as }) => (as === undefined ? [quoted(name)] : [])).join(', ');
}
