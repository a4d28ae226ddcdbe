import { compileQuery, emptyCatalog, metaRelationQuery } from '../../compiler/index.ts';
import type { Column } from '../contract/query.ts';
import type { Engine } from '../engine/engine.ts';
import { maskTable } from '../engine/mask.ts';
import type { Inspections, InspectedTable } from '../http/options.ts';
import type { KeptTable } from '../store/store.ts';

/** What is kept beside an inspection's rows, so that they can be served: whose they are, and their columns as queries see them. */
export interface AboutInspection {
  /** The aggregates that the inspected block belongs to. */
  readonly aggregates: readonly string[];
  readonly seen: readonly Column[];
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
        const kept = await engine.store.inspectionTables.load(keptName(table, wanted));
        if (kept !== 'missing' && kept !== 'damaged') return inspectedTable(kept);
      }
      return undefined;
    },
  };
}

function inspectedTable(kept: KeptTable): InspectedTable {
  const about = JSON.parse(kept.about ?? '{"aggregates":[],"seen":[]}') as AboutInspection;
  const shown = about.seen.filter((column) => column.hidden !== true);
  const indexes = shown.map((column) => kept.columns.findIndex(({ name }) => name === column.name));
  return {
    aggregates: about.aggregates,
    read: ({ cleared, limit, offset = 0 }) => {
      const page = kept.rows.slice(offset, limit === undefined ? undefined : offset + limit);
      const table = { columns: shown, rows: page.map((row) => indexes.map((index) => row[index] ?? null)) };
      return Promise.resolve(cleared ? table : maskTable(table));
    },
  };
}
