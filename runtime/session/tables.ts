import type { Column } from '../contract/query.ts';
import type { Row, Store } from '../store/store.ts';

/** A table of a session, or one that an inspection recorded (language.md sections 7 and 8). */
export interface SessionTable {
  readonly name: string;
  /** As queries see it: of an inspection's target, `data` is one STRUCT column. */
  readonly columns: readonly Column[];
  /** Its name in the read model; made by us, never from the text. */
  readonly physical: string;
  /** The columns that rows have, where they differ from those that queries see. */
  readonly stored: readonly Column[];
}

export interface SessionTables {
  readonly all: () => readonly SessionTable[];
  readonly find: (name: string) => SessionTable | undefined;
  /** Makes or replaces a table. `stored` are the columns that rows have, where they differ from those that queries see. */
  readonly put: (
    name: string,
    columns: readonly Column[],
    rows: readonly Row[],
    stored?: readonly Column[],
  ) => Promise<SessionTable>;
  readonly drop: (name: string) => Promise<boolean>;
  /** All rows, by the stored columns. */
  readonly rows: (table: SessionTable) => { readonly columns: readonly Column[]; readonly rows: readonly Row[] };
}

/** Tables by name, without regard to case; physical names are numbered under `prefix`, so that sessions cannot meet. */
export function createSessionTables(store: Store, prefix: string): SessionTables {
  const tables = new Map<string, SessionTable>();
  const held = new Map<string, readonly Row[]>();
  let made = 0;
  return {
    all: () => [...tables.values()],
    find: (name) => tables.get(name.toLowerCase()),
    put: async (name, columns, rows, stored = columns) => {
      const physical = tables.get(name.toLowerCase())?.physical ?? `s$${prefix}_${++made}`;
      await store.putTable(physical, stored, rows);
      const table = { name, columns, physical, stored };
      held.set(name.toLowerCase(), rows);
      tables.set(name.toLowerCase(), table);
      return table;
    },
    drop: async (name) => {
      const table = tables.get(name.toLowerCase());
      if (table === undefined) return false;
      tables.delete(name.toLowerCase());
      held.delete(name.toLowerCase());
      await store.dropTable(table.physical);
      return true;
    },
    rows: ({ name, stored }) => ({ columns: stored, rows: held.get(name.toLowerCase()) ?? [] }),
  };
}
