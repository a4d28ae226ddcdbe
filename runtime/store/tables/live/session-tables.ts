/** Session tables of a read model, which a new database is filled with again. */
import type { TableColumn, TableRows } from '../../side/inspection-tables.ts';
import type { Live } from './live-database.ts';

export interface SessionTables {
  /** Remembers the table for later databases; its rows are sent to the present one by `fillTable`. */
  readonly keep: (table: string, columns: readonly TableColumn[], rows: TableRows) => void;
  readonly forget: (table: string) => void;
  readonly restore: (live: Live) => Promise<void>;
}

/** `isReplaced`: whether the database can be replaced by another one. An inline one never is, so nothing is kept. */
export function createSessionTables(isReplaced: boolean): SessionTables {
  const tables = new Map<string, { readonly columns: readonly TableColumn[]; readonly rows: TableRows }>();
  return {
    keep: (table, columns, rows) => {
      if (isReplaced) tables.set(table, { columns, rows });
    },
    forget: (table) => void tables.delete(table),
    restore: async (live) => {
      for (const [table, { columns, rows }] of tables) await fillTable(live, table, columns, rows);
    },
  };
}

/** Creates the table, and sends its rows as they arrive. */
export async function fillTable(
  { talk, feed }: Pick<Live, 'talk' | 'feed'>,
  table: string,
  columns: readonly TableColumn[],
  rows: TableRows,
): Promise<void> {
  feed.forget();
  if (typeof rows !== 'function') {
    await talk.ask({ do: 'table', table, columns, rows });
    return;
  }
  await talk.ask({ do: 'table', table, columns, rows: [] });
  for await (const page of rows()) {
    feed.forget();
    await talk.ask({ do: 'rows', table, columns, rows: page });
  }
}

export function checkSessionTable(table: string): void {
  if (!table.startsWith('s$')) throw new Error(`${table} is no name of a session's table`);
}
