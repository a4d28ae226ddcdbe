/**
 * What an inspection leaves behind (language.md sections 7, 8 and 12): its record in the log, and beside it the tables that it wrote and
 * read, for later sessions and for those who read them over HTTP.
 */
import type { RelationName } from '../../compiler/index.ts';
import { fail } from '../../language/failure/failure.ts';
import {
  aboutOf,
  inspectionRecords,
  isSameTable,
  keptName,
  removeUnnamed,
  standingRecords,
  type AboutInspection,
} from '../registry/inspections.ts';
import { saveTable } from '../../runtime/store/save-table.ts';
import type { KeptTable, Row, TableColumn } from '../../runtime/store/store.ts';
import type { StatementContext } from './context.ts';

/** An inspection whose tables are kept. */
export interface KeptInspection {
  readonly target: string;
  readonly inspected: 'Decision' | 'Projection';
  readonly block: string;
  readonly aggregates: readonly string[];
}

export function aboutText(about: AboutInspection): string {
  return JSON.stringify(about);
}

/** Keeps what an inspection wrote. */
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

/** What was just kept is a table of the session. */
export async function showOutput(context: StatementContext, name: string): Promise<void> {
  const kept = await context.engine.store.inspectionTables.open(keptName(name, 'output'));
  if (kept === 'missing' || kept === 'damaged') throw new Error(`table ${name} was just kept and is ${kept}`);
  await context.tables.put(name, kept.columns, () => kept.pages());
  context.tables.setRecorded(name);
}

/**
 * Keeps the table of the session that is inspected, as it is then; streams and what else the registry has are not copied. Columns whose
 * values become SENSITIVE fields are sensitive from now on, also where the same table is inspected again for another target.
 */
export async function keepInput(
  context: StatementContext,
  source: RelationName,
  { target, aggregates }: KeptInspection,
  sensitive: readonly string[] = [],
): Promise<void> {
  const table = source.schema === undefined ? context.tables.find(source.name.text) : undefined;
  if (table === undefined) return;
  const before = await inputOfOthers(context, table.name, target);
  const marked = [
    ...sensitive,
    ...(before?.columns ?? []).filter((column) => column.sensitive).map(({ name }) => name),
  ];
  const columns = table.stored.map((column) =>
    marked.some((name) => isSameTable(name, column.name)) ? { ...column, sensitive: true } : column,
  );
  const all = new Set([...(before === undefined ? [] : aboutOf(before).aggregates), ...aggregates]);
  const head = { columns, about: aboutText({ aggregates: [...all] }) };
  const { inspectionTables } = context.engine.store;
  await saveTable(inspectionTables, keptName(table.name, 'input'), head, context.tables.pages(table));
}

/** What is kept of a table that inspections into other targets read too. */
async function inputOfOthers(
  { engine }: StatementContext,
  table: string,
  target: string,
): Promise<KeptTable | undefined> {
  const others = (await standingRecords(engine)).filter(({ name }) => !isSameTable(name, target));
  if (!others.some(({ inputTable }) => isSameTable(inputTable, table))) return undefined;
  const kept = await engine.store.inspectionTables.open(keptName(table, 'input'));
  return kept === 'missing' || kept === 'damaged' ? undefined : kept;
}

/** Puts the record into the log; the rows themselves are derived and can be made again. What only the record before named is gone. */
export async function recordInspection(
  context: StatementContext,
  { target: name, inspected, block }: KeptInspection,
  source: RelationName,
): Promise<void> {
  const { store } = context.engine;
  const before = (await standingRecords(context.engine)).find((record) => isSameTable(record.name, name));
  const last = store.position().at;
  const now = context.clock();
  const input = sourceText(context, source);
  const entry = { kind: 'inspection', name, inspected, block, input, fullSql: context.text } as const;
  await store.exclusively((turn) => turn.append(entry, now > last ? now : last));
  if (before !== undefined) await forget(context, before);
}

/** A table of the session by its own name, any other relation as the statement has it. */
function sourceText({ tables }: StatementContext, { schema, name }: RelationName): string {
  return schema === undefined ? (tables.find(name.text)?.name ?? name.text) : `${schema.text}."${name.text}"`;
}

/** Takes a recorded table out of the store, with what is kept for nothing but it. */
export async function dropRecorded(context: StatementContext, name: string): Promise<void> {
  const { engine } = context;
  if (engine.readOnly) throw fail('R0109', { what: 'dropping a recorded table' });
  const record = (await inspectionRecords(engine)).find((each) => isSameTable(each.name, name));
  await engine.store.inspectionTables.remove(keptName(name, 'output'));
  if (record !== undefined) await forget(context, record);
}

async function forget(context: StatementContext, record: Parameters<typeof removeUnnamed>[1]): Promise<void> {
  for (const name of await removeUnnamed(context.engine, record))
    if (context.tables.find(name)?.recorded === true) await context.tables.drop(name);
}

/** The record goes into the session's own log, which must take it; the inspected store may be for reading only. */
export function checkRecordable({ engine }: StatementContext): void {
  if (engine.readOnly) throw fail('R0109', { what: 'recording an inspection' });
}
