import type { Engine } from '../../runtime/engine/engine.ts';
import { saveTable } from '../../runtime/store/save-table.ts';
import type { KeptTable, Row, TableColumn } from '../../runtime/store/store.ts';
import { aboutOf, isSameTable, keptName, standingRecords, type AboutInspection } from '../registry/inspections.ts';

/** A table that an inspection read. */
export interface InputTable {
  readonly name: string;
  readonly columns: readonly TableColumn[];
  readonly pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

export function aboutText(about: AboutInspection): string {
  return JSON.stringify(about);
}

/**
 * Stores the rows that an inspection read. Columns whose values become SENSITIVE fields are sensitive from now on, also when the same table
 * is inspected again for another target.
 */
export async function keepInputTable(
  engine: Engine,
  { name, columns, pages }: InputTable,
  { target, aggregates }: { readonly target: string; readonly aggregates: readonly string[] },
  sensitive: readonly string[],
): Promise<void> {
  const before = await inputOfOthers(engine, name, target);
  const marked = [
    ...sensitive,
    ...(before?.columns ?? []).filter((column) => column.sensitive).map((column) => column.name),
  ];
  const kept = columns.map((column) =>
    marked.some((one) => isSameTable(one, column.name)) ? { ...column, sensitive: true } : column,
  );
  const all = new Set([...(before === undefined ? [] : aboutOf(before).aggregates), ...aggregates]);
  const head = { columns: kept, about: aboutText({ aggregates: [...all] }) };
  await saveTable(engine.store.inspectionTables, keptName(name, 'input'), head, pages);
}

/** The stored input table, if inspections into other targets read it too. */
async function inputOfOthers(engine: Engine, table: string, target: string): Promise<KeptTable | undefined> {
  const others = (await standingRecords(engine)).filter(({ name }) => !isSameTable(name, target));
  if (!others.some(({ inputTable }) => isSameTable(inputTable, table))) return undefined;
  const kept = await engine.store.inspectionTables.open(keptName(table, 'input'));
  return kept === 'missing' || kept === 'damaged' ? undefined : kept;
}
