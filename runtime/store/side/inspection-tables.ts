/** Tables that are not derived from log entries: those of recorded inspections, and the columns and rows that tables of sessions have too. */
import { fail } from '../../../language/failure/failure.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { Row } from '../query.ts';

/** A column of a table that is not derived from log entries. */
export interface TableColumn extends Column {
  /** Not stored with each row: the text at the position, from 1, that the row's column `from` contains. */
  readonly derived?: { readonly from: string; readonly texts: readonly (string | null)[] };
}
/** Cells of the kept columns, all at once or in pages; pages can be read repeatedly. */
export type TableRows = readonly Row[] | (() => AsyncIterable<readonly Row[]>);

/** Tables by name, which are safe identifiers; case does not count. */
export interface InspectionTables {
  /** Starts a table, which replaces the one of that name when it is complete. */
  readonly write: (name: string, head: TableHead) => Promise<TableWriter>;
  readonly open: (name: string) => Promise<KeptTable | 'missing' | 'damaged'>;
  readonly remove: (name: string) => Promise<void>;
  readonly names: () => Promise<readonly string[]>;
}
export interface TableHead {
  readonly columns: readonly TableColumn[];
  /** Any text of its owner, such as the columns that queries see. */
  readonly about?: string;
}
export interface TableWriter {
  /** Adds rows with the cells of the kept columns. */
  readonly add: (rows: readonly Row[]) => Promise<void>;
  /** Ends the table and puts it in place. */
  readonly keep: () => Promise<void>;
  /** Drops the new table; the previous one stays. */
  readonly discard: () => Promise<void>;
}
export interface KeptTable extends TableHead {
  readonly rows: number;
  /** Rows in order, with the cells of the kept columns, without the first `offset`. */
  readonly pages: (offset?: number) => AsyncIterable<readonly Row[]>;
}

/** The tables for readers alone; `reason` is a clause. */
export function readOnlyTables({ open, names }: InspectionTables, reason: string): InspectionTables {
  const refused = (): Promise<never> => Promise.reject(fail('R0402', { reason }));
  return { open, names, write: refused, remove: refused };
}
