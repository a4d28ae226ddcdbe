import { compileQuery, emptyCatalog, metaRelationQuery } from '../../compiler/index.ts';
import type { Column } from '../../language/contract/query.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { raw } from '../../runtime/engine/raw.ts';
import { unmasked } from '../../runtime/engine/unmasked.ts';
import { fail } from '../../language/failure/failure.ts';
import { shownTable } from '../operation/shown.ts';
import type { Inspections, InspectedTable } from '../http/options.ts';
import type { InspectionEntry } from '../../runtime/store/entry.ts';
import type { KeptTable, QueryOptions, Row, TableColumn } from '../../runtime/store/store.ts';
import { createRowFiller } from '../../runtime/store/table-rows.ts';
import { scalarText } from '../../language/values/scalar-text.ts';
import { rowBytes } from '../../language/values/value-bytes.ts';

/** A record of `meta_inspections` (docs/language.md#inspections). */
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

/** Whether an inspection wrote a table, or read it. */
export type Side = 'input' | 'output';

/** The name under which an inspection's rows are kept; a table can be the output of one inspection and the input of another. */
export function keptName(table: string, side: Side): string {
  return side === 'output' ? table : `input.${table}`;
}

/** The companion table of a decision's target, with a row for each input row and branch (docs/language.md#inspections). */
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

/** The records and rows of all inspections of this store (docs/http.md#inspections). */
export function createInspections(engine: Engine): Inspections {
  return {
    records: (options) => recordRows(engine, options),
    find: async (table, side, options) => {
      const records = await standingRecords(engine, options);
      for (const wanted of side === 'either' ? (['output', 'input'] as const) : [side]) {
        if (!records.some((record) => tablesOf(record, wanted).includes(table))) continue;
        const kept = await engine.store.inspectionTables.open(keptName(table, wanted));
        if (kept !== 'missing' && kept !== 'damaged') return inspectedTable(kept);
      }
      return undefined;
    },
  };
}

async function recordRows(engine: Engine, options: QueryOptions = {}): Promise<readonly Row[]> {
  const query = compileQuery(metaRelationQuery('meta_inspections', 'name'), emptyCatalog, {});
  return unmasked(await engine.query(query, [], options)).rows;
}

/** All records, by name. */
export async function inspectionRecords(engine: Engine, options?: QueryOptions): Promise<readonly InspectionRecord[]> {
  return (await recordRows(engine, options)).map(([name, kind, inputTable, outputTable, fullSql]) => ({
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

/**
 * Puts the record of an inspection into the log, at the time `now` (µs since 1970); the rows themselves are kept beside it. Returns the names of the outputs
 * that only the previous record of that name had.
 */
export async function putRecord(
  engine: Engine,
  record: Omit<InspectionEntry, 'kind'>,
  now: bigint,
): Promise<readonly string[]> {
  const { store } = engine;
  const before = (await standingRecords(engine)).find(({ name }) => isSameTable(name, record.name));
  const last = store.knownPosition().at;
  await store.exclusively((turn) => turn.append({ kind: 'inspection', ...record }, now > last ? now : last));
  return before === undefined ? [] : removeUnnamed(engine, before);
}

/** Releases the tables that this record named and no other names; returns the names of its outputs among them. */
export async function removeUnnamed(engine: Engine, before: InspectionRecord): Promise<readonly string[]> {
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
