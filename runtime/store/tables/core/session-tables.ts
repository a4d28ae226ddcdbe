/** Session tables: temporary ones, so that no snapshot ever contains them. */
import type { CompiledQuery } from '../../../../language/contract/query.ts';
import { tableColumnName } from '../../../../language/sqlite/read-model.ts';
import { toSqlite } from '../../../../language/sqlite/value.ts';
import type { Value } from '../../../../language/values/type.ts';
import type { Row } from '../../query.ts';
import type { TableColumn } from '../../side/inspection-tables.ts';
import { keptColumns } from '../../side/table-rows.ts';
import { boundRow, type RunnableQuery } from './query-runner.ts';
import { quoted, type Database } from './engine.ts';
import { columnDeclaration } from './tables.ts';

type Columns = readonly Pick<TableColumn, 'name' | 'type' | 'derived'>[];

/** Creates or replaces a table; SQLite computes columns that are not kept whenever they are read. */
export function makeTable(database: Database, table: string, columns: Columns): void {
  const name = named(table);
  database.run(`DROP TABLE IF EXISTS ${name}`);
  // SQLite has no table without columns.
  const declared = columns.map((column) => `${quoted(tableColumnName(column.name))} ${declarationOf(column)}`);
  database.run(`CREATE TABLE ${name} (${declared.length === 0 ? 'no_columns' : declared.join(', ')})`);
}

/** Adds rows, each with a cell for every kept column. */
export function addRows(database: Database, table: string, columns: Columns, rows: readonly Row[]): void {
  const kept = keptColumns(columns);
  if (kept.length === 0 || rows.length === 0) return;
  const names = kept.map((column) => quoted(tableColumnName(column.name))).join(', ');
  const insert = database.prepare(`INSERT INTO ${named(table)} (${names}) VALUES (${kept.map(() => '?').join(', ')})`);
  const types = kept.map((column) => column.type);
  try {
    for (const row of rows) insert.run(boundRow(row, types));
  } finally {
    insert.free();
  }
}

/** Creates a table of all rows of a query inside SQLite: its cells are those that `addRows` would write. */
export function keepQuery(
  database: Database,
  table: string,
  query: RunnableQuery & { readonly columns: Columns },
  parameters: readonly Value[],
): void {
  makeTable(database, table, query.columns);
  if (query.columns.length === 0) return;
  const values = query.parameters.map(({ type }, index) => toSqlite(parameters[index] ?? null, type));
  database.run(`INSERT INTO ${named(table)} ${query.sql}`, values);
}

/**
 * A page of a table's kept cells, in order; its parameters are the number of the row before the first, and the number
 * of rows.
 */
export function tablePage(table: string, columns: readonly TableColumn[]): CompiledQuery {
  const kept = keptColumns(columns);
  const cells = kept.length === 0 ? 'NULL' : kept.map(({ name }) => quoted(tableColumnName(name))).join(', ');
  const whole = { kind: 'BIGINT' } as const;
  return {
    parameters: [
      { name: 'after', type: whole },
      { name: 'most', type: whole },
    ],
    columns: kept,
    reads: [],
    sqlite: {
      sql: `SELECT ${cells} FROM ${named(table)} WHERE rowid > CAST(?1 AS INTEGER) ORDER BY rowid LIMIT CAST(?2 AS INTEGER)`,
    },
  };
}

function named(table: string): string {
  return `temp.${quoted(table)}`;
}

function declarationOf({ type, derived }: Columns[number]): string {
  if (derived === undefined) return columnDeclaration(type);
  const cases = derived.texts.map((text, index) => `WHEN ${index + 1} THEN ${text === null ? 'NULL' : literal(text)}`);
  const value = cases.length === 0 ? 'NULL' : `CASE ${quoted(tableColumnName(derived.from))} ${cases.join(' ')} END`;
  return `TEXT GENERATED ALWAYS AS (${value}) VIRTUAL`;
}

/** A text as an SQL literal, with any content; SQL text ends at a NUL, so a text with one is concatenated. */
function literal(text: string): string {
  return text
    .split('\0')
    .map((part) => `'${part.replaceAll("'", "''")}'`)
    .join(' || char(0) || ');
}
