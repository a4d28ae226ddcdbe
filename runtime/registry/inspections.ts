import { compileQuery, emptyCatalog, metaRelationQuery } from '../../compiler/index.ts';
import type { Column } from '../contract/query.ts';
import type { Engine } from '../engine/engine.ts';
import { maskTable } from '../engine/mask.ts';
import type { Inspections, InspectedTable } from '../http/options.ts';
import type { KeptTable, Row, TableColumn } from '../store/store.ts';
import { createRowFiller } from '../store/table-rows.ts';

/** What is kept beside an inspection's rows, so that they can be served: whose they are. */
export interface AboutInspection {
  /** The aggregates that the inspected block belongs to. */
  readonly aggregates: readonly string[];
}

/** Under which name an inspection's rows are kept; a table can be the output of one and the input of another. */
export function keptName(table: string, side: 'input' | 'output'): string {
  return side === 'output' ? table : `input__${table}`;
}

/** The records and rows of inspections that were run on this store, whoever ran them (http-contract.md section 4.5). */
export function createInspections(engine: Engine): Inspections {
  const query = compileQuery(metaRelationQuery('meta_inspections', 'name'), emptyCatalog, {});
  return {
    records: async () => (await engine.query(query, [], { cleared: true })).rows,
    find: async (table, side) => {
      const sides = side === 'either' ? (['output', 'input'] as const) : [side];
      for (const wanted of sides) {
        const kept = await engine.store.inspectionTables.open(keptName(table, wanted));
        if (kept !== 'missing' && kept !== 'damaged') return inspectedTable(kept);
      }
      return undefined;
    },
  };
}

function inspectedTable(kept: KeptTable): InspectedTable {
  const { aggregates } = JSON.parse(kept.about ?? '{"aggregates":[]}') as AboutInspection;
  const filled = createRowFiller(kept.columns);
  const indexes = kept.columns.flatMap(({ hidden }, index) => (hidden === true ? [] : [index]));
  const columns = indexes.map((index): Column => {
    const { derived: _derived, ...column } = kept.columns[index] as TableColumn; // one of its own indexes
    return column;
  });
  return {
    aggregates,
    read: async ({ cleared, limit = Infinity, offset = 0 }) => {
      const rows: Row[] = [];
      for await (const page of kept.pages(offset)) {
        for (const row of page.slice(0, limit - rows.length)) {
          const whole = filled(row);
          rows.push(indexes.map((index) => whole[index] ?? null));
        }
        if (rows.length >= limit) break;
      }
      const table = { columns, rows };
      return cleared ? table : maskTable(table);
    },
  };
}
