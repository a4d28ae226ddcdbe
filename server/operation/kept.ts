/**
 * Recorded inspections (docs/language.md#inspections), for every door: a record in the log, and outside the log the tables that the
 * inspection wrote and read, for later sessions and for reading over HTTP.
 */
import { compileQuery, emptyCatalog, metaRelationQuery } from '../../compiler/index.ts';
import type { Column } from '../../language/contract/query.ts';
import { fail } from '../../language/failure/failure.ts';
import { scalarText } from '../../language/values/scalar-text.ts';
import { rowBytes } from '../../language/values/value-bytes.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import { raw } from '../../runtime/engine/raw.ts';
import { unmasked } from '../../runtime/engine/unmasked.ts';
import type { InspectionEntry } from '../../runtime/store/entry.ts';
import type { KeptTable, QueryOptions, Row, TableColumn, TableWriter } from '../../runtime/store/store.ts';
import { createRowFiller } from '../../runtime/store/side/table-rows.ts';
import type { Caller } from './caller.ts';
import type { ResultBudget } from './room/within-room.ts';
import { shownTable, type Shown } from './shown.ts';

/** A record of `meta_inspections`. */
export interface InspectionRecord {
  readonly name: string;
  readonly kind: 'Decision' | 'Projection' | 'Reaction';
  readonly inputTable: string;
  readonly outputTable: string;
  readonly fullSql: string;
}

/** Kept with an inspection's rows, so that they can be served. */
export interface AboutInspection {
  /** The aggregates that the inspected block belongs to. */
  readonly aggregates: readonly string[];
  /** The rows of a rebuilt projection, not of a session's table. */
  readonly rebuilt?: true;
}

/** Whether an inspection wrote a table, or read it; a table can be the output of one inspection and the input of another. */
export type Side = 'input' | 'output';

function keptName(table: string, side: Side): string {
  return side === 'output' ? table : `input.${table}`;
}

/** The companion table of a decision's target, with a row for each input row and branch. */
export function branchesOf(target: string): string {
  return `${target}__branches`;
}

/** The tables of one side that a record names. */
export function tablesOf({ name, kind, inputTable }: InspectionRecord, side: Side): readonly string[] {
  if (side === 'input') return [inputTable];
  return kind === 'Decision' ? [name, branchesOf(name)] : [name];
}

/** Names of tables differ in more than case (docs/language.md#session-tables). */
export function isSameTable(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

export function aboutOf({ about }: KeptTable): AboutInspection {
  return JSON.parse(about ?? '{"aggregates":[]}') as AboutInspection;
}

/** Undefined if it is not kept, or damaged. */
export async function openKept({ store }: Engine, table: string, side: Side): Promise<KeptTable | undefined> {
  const kept = await store.inspectionTables.open(keptName(table, side));
  return kept === 'missing' || kept === 'damaged' ? undefined : kept;
}

/** The rows of `meta_inspections`: name, kind, input_table, output_table, full_sql. */
export async function inspectionRows(engine: Engine, options: QueryOptions = {}): Promise<readonly Row[]> {
  const query = compileQuery(metaRelationQuery('meta_inspections', 'name'), emptyCatalog, {});
  return unmasked(await engine.query(query, [], options)).rows;
}

/** All records, by name. */
export async function inspectionRecords(engine: Engine, options?: QueryOptions): Promise<readonly InspectionRecord[]> {
  return (await inspectionRows(engine, options)).map(([name, kind, inputTable, outputTable, fullSql]) => ({
    name: scalarText(name),
    kind: kind === 'Projection' || kind === 'Reaction' ? kind : 'Decision',
    inputTable: scalarText(inputTable),
    outputTable: scalarText(outputTable),
    fullSql: scalarText(fullSql),
  }));
}

/** The records whose target is kept: the log also has records of dropped tables, which no longer name a table. */
export async function standingRecords(engine: Engine, options?: QueryOptions): Promise<readonly InspectionRecord[]> {
  const kept = new Set(await engine.store.inspectionTables.names());
  if (kept.size === 0) return [];
  return (await inspectionRecords(engine, options)).filter(({ name }) => kept.has(name.toLowerCase()));
}

/** A table that an inspection is to write. */
export interface OutputTable {
  readonly name: string;
  readonly columns: readonly TableColumn[];
}

/** Adds rows, a page of each table at a time. */
export type AddPages = (pages: readonly (readonly Row[])[]) => Promise<void>;

/** Keeps the tables that an inspection writes, of which `fill` adds the rows. If it fails, the previous tables of these names stay. */
export function keepOutput<T>(
  engine: Engine,
  about: AboutInspection,
  tables: readonly OutputTable[],
  fill: (add: AddPages) => Promise<T>,
): Promise<T> {
  return keepTables(engine, 'output', about, tables, fill);
}

async function keepTables<T>(
  { store }: Engine,
  side: Side,
  about: AboutInspection,
  tables: readonly OutputTable[],
  fill: (add: AddPages) => Promise<T>,
): Promise<T> {
  const writers: TableWriter[] = [];
  try {
    for (const { name, columns } of tables) {
      const head = { columns, about: JSON.stringify(about) };
      writers.push(await store.inspectionTables.write(keptName(name, side), head));
    }
    const filled = await fill(async (pages) => {
      for (const [at, writer] of writers.entries()) await writer.add(pages[at] ?? []);
    });
    for (const writer of writers) await writer.keep();
    return filled;
  } catch (error) {
    for (const writer of writers) await writer.discard();
    throw error;
  }
}

/** A table that an inspection read. */
export interface InputTable extends OutputTable {
  readonly pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

/**
 * Keeps the rows that the inspection of a target read. Columns whose values become SENSITIVE fields are sensitive from now on, also when the same
 * table is inspected again for another target.
 */
export async function keepInput(
  engine: Engine,
  target: string,
  aggregates: readonly string[],
  { name, columns, pages }: InputTable,
  sensitive: readonly string[] = [],
): Promise<void> {
  const others = (await standingRecords(engine)).filter((record) => !isSameTable(record.name, target));
  const isShared = others.some(({ inputTable }) => isSameTable(inputTable, name));
  const before = isShared ? await openKept(engine, name, 'input') : undefined;
  const marked = [...sensitive, ...(before?.columns ?? []).flatMap((column) => (column.sensitive ? column.name : []))];
  const kept = columns.map((column) =>
    marked.some((one) => isSameTable(one, column.name)) ? { ...column, sensitive: true } : column,
  );
  const all = [...new Set([...(before === undefined ? [] : aboutOf(before).aggregates), ...aggregates])];
  await keepTables(engine, 'input', { aggregates: all }, [{ name, columns: kept }], async (add) => {
    for await (const page of pages) await add([page]);
  });
}

/**
 * Puts the record of an inspection into the log, at the time `now` (µs since 1970); the rows themselves are derived and can be computed again.
 * Releases the tables that only the previous record of that name had, and returns the names of its outputs among them.
 */
export async function putRecord(
  engine: Engine,
  record: Omit<InspectionEntry, 'kind'>,
  now: bigint,
): Promise<readonly string[]> {
  const { store } = engine;
  const before = (await standingRecords(engine)).find(({ name }) => isSameTable(name, record.name));
  const last = store.turns.position().at;
  await store.turns.exclusively((turn) => turn.append({ kind: 'inspection', ...record }, now > last ? now : last));
  return before === undefined ? [] : removeUnnamed(engine, before);
}

/** Removes a recorded table and all that only belongs to it; returns the names of the outputs that are gone with it. */
export async function removeRecorded(engine: Engine, name: string): Promise<readonly string[]> {
  if (engine.readOnly) throw fail('R0109', { what: 'dropping a recorded table' });
  const record = (await inspectionRecords(engine)).find((each) => isSameTable(each.name, name));
  await engine.store.inspectionTables.remove(keptName(name, 'output'));
  return record === undefined ? [] : removeUnnamed(engine, record);
}

async function removeUnnamed(engine: Engine, before: InspectionRecord): Promise<readonly string[]> {
  const { inspectionTables } = engine.store;
  const kept = new Set(await inspectionTables.names());
  const standing = await standingRecords(engine);
  const removed: string[] = [];
  for (const side of ['output', 'input'] as const) {
    const named = standing.flatMap((record) => tablesOf(record, side));
    for (const table of tablesOf(before, side)) {
      const name = keptName(table, side);
      if (!kept.has(name.toLowerCase()) || named.some((other) => isSameTable(other, table))) continue;
      await inspectionTables.remove(name);
      if (side === 'output') removed.push(table);
    }
  }
  return removed;
}

/** A kept table as it is served. */
export interface InspectedTable {
  /** For a decision its aggregate; for a projection every aggregate that it reads. */
  readonly aggregates: readonly string[];
  readonly read: (options: {
    readonly caller: Caller;
    readonly limit?: number;
    readonly offset?: number;
    readonly budget: ResultBudget;
  }) => Promise<Shown<Table>>;
}

/**
 * A table that a recorded inspection read (`input`) or wrote (`output`, including its `__branches` companion); `either` looks for both, outputs
 * first. Undefined if no inspection recorded it. The options are for reading the records.
 */
export async function findInspected(
  engine: Engine,
  table: string,
  side: Side | 'either',
  options: QueryOptions,
): Promise<InspectedTable | undefined> {
  const records = await standingRecords(engine, options);
  for (const wanted of side === 'either' ? (['output', 'input'] as const) : [side]) {
    if (!records.some((record) => tablesOf(record, wanted).includes(table))) continue;
    const kept = await openKept(engine, table, wanted);
    if (kept !== undefined) return inspectedTable(kept);
  }
  return undefined;
}

function inspectedTable(kept: KeptTable): InspectedTable {
  const { aggregates } = aboutOf(kept);
  const filled = createRowFiller(kept.columns);
  const indexes = kept.columns.flatMap(({ hidden }, index) => (hidden === true ? [] : [index]));
  const columns = indexes.map((index): Column => {
    const { derived: _derived, ...column } = kept.columns[index] as TableColumn; // one of its own indexes
    return column;
  });
  return {
    aggregates,
    read: async ({ caller, limit = Infinity, offset = 0, budget }) => {
      const rows: Row[] = [];
      const deadline = performance.now() + budget.milliseconds;
      let bytes = 0;
      for await (const page of kept.pages(offset)) {
        for (const row of page.slice(0, limit - rows.length)) {
          const whole = filled(row);
          const shown = indexes.map((index) => whole[index] ?? null);
          bytes += rowBytes(shown);
          if (bytes > budget.bytes) throw fail('R0301', { what: 'bytes', limit: String(budget.bytes) });
          rows.push(shown);
        }
        if (performance.now() > deadline) throw fail('R0301', { what: 'time', limit: `${budget.milliseconds} ms` });
        if (rows.length >= limit) break;
      }
      budget.takes(bytes);
      return shownTable(raw({ columns, rows }), caller);
    },
  };
}
