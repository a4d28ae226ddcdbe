/** Recorded inspections of a session: their tables are shown in it, and what is dropped there is no longer kept. */
import type { RelationName } from '../../compiler/index.ts';
import type { InspectionEntry } from '../../runtime/store/entry.ts';
import { keepInput, openKept, putRecord, removeRecorded } from '../operation/kept.ts';
import type { StatementContext } from './context.ts';

/** Makes the kept output a table of the session. */
async function showOutput({ engine, tables }: StatementContext, name: string): Promise<void> {
  const kept = await openKept(engine, name, 'output');
  if (kept === undefined) throw new Error(`table ${name} was just kept and cannot be read`);
  await tables.put(name, kept.columns, () => kept.pages());
  tables.setRecorded(name);
}

/** Keeps the rows of the inspected table of the session; streams and other relations of the registry are not copied. */
export async function keepSource(
  { engine, tables }: StatementContext,
  source: RelationName,
  target: string,
  aggregates: readonly string[],
  sensitive: readonly string[] = [],
): Promise<void> {
  const table = source.schema === undefined ? tables.find(source.name.text) : undefined;
  if (table === undefined) return;
  const { name, stored: columns } = table;
  await keepInput(engine, target, aggregates, { name, columns, pages: tables.pages(table) }, sensitive);
}

type Inspection = Pick<InspectionEntry, 'name' | 'inspected' | 'block'>;

/** Shows the outputs, and records the inspection. */
export async function recordOutputs(
  context: StatementContext,
  source: RelationName,
  inspection: Inspection,
  outputs: readonly { readonly name: string }[],
): Promise<void> {
  for (const { name } of outputs) await showOutput(context, name);
  await recordInspection(context, source, inspection);
}

export async function recordInspection(
  context: StatementContext,
  source: RelationName,
  inspection: Inspection,
): Promise<void> {
  const record = { ...inspection, input: sourceText(context, source), fullSql: context.text };
  await dropAlso(context, await putRecord(context.engine, record, context.clock()));
}

/** The source as text: a session table by its own name, any other relation as written in the statement. */
function sourceText({ tables }: StatementContext, { schema, name }: RelationName): string {
  return schema === undefined ? (tables.find(name.text)?.name ?? name.text) : `${schema.text}."${name.text}"`;
}

/** Removes a recorded table from the store, with all data that only belongs to it. */
export async function dropRecorded(context: StatementContext, name: string): Promise<void> {
  await dropAlso(context, await removeRecorded(context.engine, name));
}

/** Drops tables of the session whose rows are no longer kept. */
async function dropAlso({ tables }: StatementContext, names: readonly string[]): Promise<void> {
  for (const name of names) if (tables.find(name)?.recorded === true) await tables.drop(name);
}
