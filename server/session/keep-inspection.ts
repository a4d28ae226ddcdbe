/**
 * Stores the results of an inspection (docs/language.md#inspections): its record in the log, and the tables that it wrote and read beside
 * the log, for later sessions and for reading over HTTP.
 */
import type { RelationName } from '../../compiler/index.ts';
import { fail } from '../../language/failure/failure.ts';
import {
  inspectionRecords,
  isSameTable,
  keptName,
  putRecord,
  removeUnnamed,
  type AboutInspection,
} from '../registry/inspections.ts';
import { saveTable } from '../../runtime/store/save-table.ts';
import type { Row, TableColumn } from '../../runtime/store/store.ts';
import { aboutText, keepInputTable } from '../inspect/keep-input.ts';
import type { StatementContext } from './context.ts';

/** An inspection whose tables are stored. */
export interface KeptInspection {
  readonly target: string;
  readonly inspected: 'Decision' | 'Projection' | 'Reaction';
  readonly block: string;
  readonly aggregates: readonly string[];
}

/** Stores the output of an inspection. */
export async function keepOutput(
  context: StatementContext,
  name: string,
  about: AboutInspection,
  columns: readonly TableColumn[],
  pages: AsyncIterable<readonly Row[]>,
): Promise<void> {
  const head = { columns, about: aboutText(about) };
  await saveTable(context.engine.store.inspectionTables, keptName(name, 'output'), head, pages);
}

/** Makes the stored output a table of the session. */
export async function showOutput(context: StatementContext, name: string): Promise<void> {
  const kept = await context.engine.store.inspectionTables.open(keptName(name, 'output'));
  if (kept === 'missing' || kept === 'damaged') throw new Error(`table ${name} was just kept and is ${kept}`);
  await context.tables.put(name, kept.columns, () => kept.pages());
  context.tables.setRecorded(name);
}

/**
 * Stores the current rows of the inspected session table; streams and other relations of the registry are not copied. Columns whose values
 * become SENSITIVE fields are sensitive from now on, also when the same table is inspected again for another target.
 */
export async function keepInput(
  context: StatementContext,
  source: RelationName,
  { target, aggregates }: KeptInspection,
  sensitive: readonly string[] = [],
): Promise<void> {
  const table = source.schema === undefined ? context.tables.find(source.name.text) : undefined;
  if (table === undefined) return;
  const input = { name: table.name, columns: table.stored, pages: context.tables.pages(table) };
  await keepInputTable(context.engine, input, { target, aggregates }, sensitive);
}

/**
 * Puts the record into the log; the rows themselves are derived and can be computed again. Tables that only the previous record named are
 * removed.
 */
export async function recordInspection(
  context: StatementContext,
  { target: name, inspected, block }: KeptInspection,
  source: RelationName,
): Promise<void> {
  const record = { name, inspected, block, input: sourceText(context, source), fullSql: context.text };
  await dropAlso(context, await putRecord(context.engine, record, context.clock()));
}

/** The source as text: a session table by its own name, any other relation as written in the statement. */
function sourceText({ tables }: StatementContext, { schema, name }: RelationName): string {
  return schema === undefined ? (tables.find(name.text)?.name ?? name.text) : `${schema.text}."${name.text}"`;
}

/** Removes a recorded table from the store, with all data that only belongs to it. */
export async function dropRecorded(context: StatementContext, name: string): Promise<void> {
  const { engine } = context;
  if (engine.readOnly) throw fail('R0109', { what: 'dropping a recorded table' });
  const record = (await inspectionRecords(engine)).find((each) => isSameTable(each.name, name));
  await engine.store.inspectionTables.remove(keptName(name, 'output'));
  if (record !== undefined) await dropAlso(context, await removeUnnamed(context.engine, record));
}

/** Drops tables of the session whose rows are no longer kept. */
async function dropAlso({ tables }: StatementContext, names: readonly string[]): Promise<void> {
  for (const name of names) if (tables.find(name)?.recorded === true) await tables.drop(name);
}

/** The record goes into the session's own log, which must be writable; the inspected store may be read-only. */
export function checkRecordable({ engine }: StatementContext): void {
  if (engine.readOnly) throw fail('R0109', { what: 'recording an inspection' });
}
