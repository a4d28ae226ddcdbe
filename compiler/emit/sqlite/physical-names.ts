import { EVENT_ROW, type Fold } from '../../../language/plan/fold.ts';
import type { Column } from '../../../language/contract/query.ts';
import { distinctNames } from '../../../language/catalog/distinct-names.ts';

/** An identifier in SQL, with any characters. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Names of the read model, as `language/sqlite/read-model.ts` fixes them; unquoted. */
export const physicalNames = {
  events: (aggregate: string): string => `e$${aggregate}`,
  tags: (aggregate: string): string => `t$${aggregate}`,
  state: (aggregate: string): string => `a$${aggregate}`,
  projection: (projection: string): string => `p$${projection}`,
  shared: (projection: string): string => `q$${projection}`,
  meta: (relation: string): string => `m$${relation.replace(/^meta_/, '')}`,
  fold: (fold: Fold): string => `f$${foldName(fold)}`,
  foldView: (fold: Fold): string => `v$${foldName(fold)}`,
  payload: (field: string): string => `d$${field}`,
} as const;

/** Longest readable part of a fold's name. */
const LONGEST_ABOUT = 80;

/**
 * `Bike_by_stream_id_355cdcad93652ce6`: the aggregate and key, for a reader, and the hash that makes the name unique.
 */
function foldName({ id, aggregate, key }: Fold): string {
  const columns = key.map((part) => {
    const column = part.kind === 'column' && part.relation === EVENT_ROW ? part.column.replace(/^data\./, '') : '';
    return /^[A-Za-z0-9_]+$/.test(column) ? column : 'key';
  });
  const about = columns.length === 0 ? `all_${aggregate}` : `${aggregate}_by_${columns.join('_and_')}`;
  return `${about.slice(0, LONGEST_ABOUT)}_${id.replace(/^f_/, '')}`;
}

/** SQLite treats a result column with such a name, even quoted, as one without a name. */
const nameless: readonly string[] = ['true', 'false'];

/**
 * The column names of a view, one for each column in order: its own names, so that the file reads well in a shell. A
 * repeated name (regardless of case, as SQLite compares) gets `:2`, `:3`, …, which no block or field name can contain;
 * so does a name that SQLite cannot use.
 */
export function viewColumnNames(columns: readonly Column[]): readonly string[] {
  const names = columns.map(({ name }) => name);
  return distinctNames([...nameless, ...names], ':').slice(nameless.length);
}

/** The index of a column of that name, in any case if there is no exact match; -1 if there is none. */
export function columnIndex(columns: readonly { readonly name: string }[], name: string): number {
  const exact = columns.findIndex((column) => column.name === name);
  if (exact !== -1) return exact;
  const wanted = name.toLowerCase();
  return columns.findIndex((column) => column.name.toLowerCase() === wanted);
}
