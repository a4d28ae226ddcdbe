import type { Column, CompiledQuery } from '../../language/contract/query.ts';
import { tablePage } from '../../runtime/store/tables/core/session-tables.ts';
import type { KeptTable, QueryOptions, Row, Store, TableColumn, TableRows } from '../../runtime/store/store.ts';

/** A table of a session, or one recorded by an inspection (docs/language.md#session-tables). */
export interface SessionTable {
  readonly name: string;
  /** As queries see it. */
  readonly columns: readonly Column[];
  /** Its name in the read model; generated, never from the text. */
  readonly physical: string;
  /** The columns as stored: some of them once instead of with each row. */
  readonly stored: readonly TableColumn[];
  /** An inspection wrote it: the store has it too. */
  readonly recorded: boolean;
}

export interface SessionTables {
  readonly all: () => readonly SessionTable[];
  readonly find: (name: string) => SessionTable | undefined;
  /** Makes or replaces a table; the previous table stays until the new one is filled. */
  readonly put: (name: string, columns: readonly TableColumn[], rows: TableRows) => Promise<SessionTable>;
  /** Puts a table with the rows of a query on this session's store. */
  readonly putQuery: (name: string, query: CompiledQuery, options: QueryOptions) => Promise<SessionTable>;
  /** A table of an earlier inspection; it is filled when something first reads it. */
  readonly restore: (name: string, kept: KeptTable) => void;
  /** Marks a table that an inspection wrote. */
  readonly setRecorded: (name: string) => void;
  /** Fills restored tables that are about to be read. */
  readonly ready: (names: readonly string[]) => Promise<void>;
  readonly drop: (name: string) => Promise<boolean>;
  /** Its stored cells, page by page. */
  readonly pages: (table: SessionTable) => AsyncIterable<readonly Row[]>;
}

interface Held extends SessionTable {
  recorded: boolean;
  /** The source of the rows while the read model does not have them. */
  waiting?: TableRows;
}

const pageRows = 10_000;

/** Tables by name, in any case; physical names are numbered under `prefix`, so that they differ between sessions. */
export function createSessionTables(store: Store, prefix: string): SessionTables {
  const tables = new Map<string, Held>();
  let made = 0;
  const held = (name: string, columns: readonly TableColumn[]): Held => ({
    name,
    columns: columns.map(({ derived: _derived, ...column }) => column),
    physical: `s$${prefix}_${++made}`,
    stored: columns,
    recorded: false,
  });
  const replace = async (table: Held, make: (table: Held) => Promise<void>): Promise<SessionTable> => {
    await make(table);
    const before = tables.get(table.name.toLowerCase());
    tables.set(table.name.toLowerCase(), table);
    if (before !== undefined) await store.tables.dropTable(before.physical);
    return table;
  };
  const fill = async (table: Held): Promise<void> => {
    const { waiting } = table;
    if (waiting === undefined) return;
    await store.tables.putTable(table.physical, table.stored, waiting);
    delete table.waiting;
  };
  const ready = async (names: readonly string[]): Promise<void> => {
    for (const name of names) {
      const table = tables.get(name.toLowerCase());
      if (table !== undefined) await fill(table);
    }
  };
  async function* pages({ name, physical, stored }: SessionTable): AsyncGenerator<readonly Row[], void, undefined> {
    await ready([name]);
    const query = tablePage(physical, stored);
    for (let after = 0; ; after += pageRows) {
      const rows = await store.tables.query(query, [BigInt(after), BigInt(pageRows)]);
      if (rows.length > 0) yield rows;
      if (rows.length < pageRows) return;
    }
  }
  return {
    all: () => [...tables.values()],
    find: (name) => tables.get(name.toLowerCase()),
    put: (name, columns, rows) =>
      replace(held(name, columns), ({ physical }) => store.tables.putTable(physical, columns, rows)),
    putQuery: (name, query, options) =>
      replace(held(name, query.columns), ({ physical }) => store.tables.putQuery(physical, query, [], options)),
    restore: (name, { columns, pages }) => {
      tables.set(name.toLowerCase(), { ...held(name, columns), recorded: true, waiting: () => pages() });
    },
    setRecorded: (name) => {
      const table = tables.get(name.toLowerCase());
      if (table !== undefined) table.recorded = true;
    },
    ready,
    drop: async (name) => {
      const table = tables.get(name.toLowerCase());
      if (table === undefined) return false;
      tables.delete(name.toLowerCase());
      await store.tables.dropTable(table.physical);
      return true;
    },
    pages,
  };
}
