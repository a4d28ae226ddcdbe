/**
 * Inserts rows into a table, many of them by one statement: to begin and end a statement takes a third as long as all that it
 * does for a row.
 */
import type { Bound, Database, Statement } from './engine.ts';

export interface RowInserts {
  /** Takes a row, with a value for each column. It may be in the table only after `flush`. */
  readonly add: (row: readonly Bound[]) => void;
  readonly flush: () => void;
  readonly free: () => void;
}

/** The most values of a statement: 32 rows of a usual table. More is hardly faster. */
const mostValues = 512;
/** The most characters that wait: SQLite has the texts of a statement in its memory at once. */
const mostCharacters = 64 * 1024;

/** `table` and `columns` are quoted where they must be. */
export function createRowInserts(database: Database, table: string, columns: readonly string[]): RowInserts {
  const width = columns.length;
  const manyValues = Math.max(1, Math.floor(mostValues / width)) * width;
  const row = `(${columns.map(() => '?').join(', ')})`;
  const prepare = (values: number): Statement => {
    const rows = Array.from({ length: values / width }, () => row);
    return database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES ${rows.join(', ')}`);
  };
  let one: Statement | undefined;
  let many: Statement | undefined;
  let waiting: Bound[] = [];
  let characters = 0;

  const takeWaiting = (): readonly Bound[] => {
    const taken = waiting;
    waiting = [];
    characters = 0;
    return taken;
  };
  const flush = (): void => {
    const rest = takeWaiting();
    for (let at = 0; at < rest.length; at += width) (one ??= prepare(width)).run(rest.slice(at, at + width));
  };
  return {
    add: (values) => {
      for (const value of values) {
        waiting.push(value);
        if (typeof value === 'string') characters += value.length;
      }
      if (characters > mostCharacters) flush();
      else if (waiting.length === manyValues) (many ??= prepare(manyValues)).run(takeWaiting());
    },
    flush,
    free: () => {
      one?.free();
      many?.free();
      takeWaiting();
    },
  };
}
