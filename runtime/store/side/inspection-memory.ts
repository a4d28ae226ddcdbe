import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { tableFileName } from './inspection-files.ts';
import type { InspectionTables, KeptTable, TableHead } from './inspection-tables.ts';
import { decodePages, encodeRows, type Lines } from './table-rows.ts';

/** Tables of recorded inspections for a store that ends with the process. */
export function createInspectionMemory(): InspectionTables {
  const tables = new Map<string, KeptTable>();
  return {
    write: (name, head) => {
      const key = tableFileName(name);
      const kept: Lines[] = [];
      return Promise.resolve({
        add: (rows) => {
          const text = encodeRows(head.columns, rows);
          // Simulated events are similar to each other, so this takes a tenth of the memory of the rows.
          const deflated = deflateRawSync(text, { level: 1 });
          kept.push({ rows: rows.length, lines: () => inflateRawSync(deflated).toString('utf8').split('\n') });
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

function keptTable(head: TableHead, kept: readonly Lines[]): KeptTable {
  async function* all(): AsyncGenerator<Lines> {
    for (const lines of kept) yield await Promise.resolve(lines);
  }
  return {
    ...head,
    rows: kept.reduce((sum, { rows }) => sum + rows, 0),
    pages: (offset) => decodePages(head.columns, all(), offset),
  };
}
