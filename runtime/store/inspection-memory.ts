import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { tableFileName } from './inspection-files.ts';
import type { InspectionTables, KeptTable, TableHead } from './side/inspection-tables.ts';
import type { Row } from './query.ts';
import { decodeRow, encodeRows, keptColumns } from './table-rows.ts';

interface Page {
  readonly rows: number;
  /** Simulated events are similar to each other, so this takes a tenth of the memory of the rows. */
  readonly deflated: Uint8Array;
}

/** Tables of recorded inspections for a store that ends with the process. */
export function createInspectionMemory(): InspectionTables {
  const tables = new Map<string, KeptTable>();
  return {
    write: (name, head) => {
      const key = tableFileName(name);
      const kept: Page[] = [];
      return Promise.resolve({
        add: (rows) => {
          const text = encodeRows(head.columns, rows);
          kept.push({ rows: rows.length, deflated: deflateRawSync(text, { level: 1 }) });
          return Promise.resolve();
        },
        keep: () => {
          tables.set(key, keptTable(head, kept));
          return Promise.resolve();
        },
        discard: () => Promise.resolve(),
      });
    },
    open: (name) => Promise.resolve(tables.get(tableFileName(name)) ?? 'missing'),
    remove: (name) => {
      tables.delete(tableFileName(name));
      return Promise.resolve();
    },
    names: () => Promise.resolve([...tables.keys()].sort()),
  };
}

function keptTable(head: TableHead, kept: readonly Page[]): KeptTable {
  const types = keptColumns(head.columns).map(({ type }) => type);
  async function* pages(offset = 0): AsyncGenerator<readonly Row[], void, undefined> {
    let skip = offset;
    for (const { rows, deflated } of kept) {
      if (skip >= rows) {
        skip -= rows;
        continue;
      }
      const lines = inflateRawSync(deflated).toString('utf8').split('\n').slice(skip, rows);
      skip = 0;
      yield await Promise.resolve(lines.map((line) => decodeRow(types, line)));
    }
  }
  return {
    ...head,
    rows: kept.reduce((sum, { rows }) => sum + rows, 0),
    pages,
  };
}
