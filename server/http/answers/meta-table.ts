import type { Column } from '../../../language/contract/query.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import { findMetaRelation } from '../../../language/contract/meta-relations.ts';
import type { MetaTable } from '../../../language/contract/read-model.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { Row } from '../../../runtime/store/store.ts';

const inspectionColumns = findMetaRelation('meta_inspections')?.columns ?? [];

const tables = new WeakMap<MetaTable, Table>();

/** The rows of a meta relation, from the registry in force (docs/language.md#meta-relations). */
export function metaTable(domain: Domain, relation: string): Table {
  const found = domain.readModel.meta.find((table) => table.name === relation);
  if (found === undefined) throw new Error(`the domain has no ${relation}`);
  const known = tables.get(found);
  if (known !== undefined) return known;
  const columns = found.columns.map((column): Column => ({ ...column, nullable: true, sensitive: false }));
  const table = { columns, rows: found.rows };
  tables.set(found, table);
  return table;
}

/** The records of inspections; they are data of the store, not of the registry. */
export function inspectionTable(rows: readonly Row[]): Table {
  return { columns: inspectionColumns, rows };
}

/** The rows whose first column is `name`: every meta relation begins with the name of its block. */
export function rowsOf(table: Table, name: string): Table {
  return { columns: table.columns, rows: table.rows.filter((row) => row[0] === name) };
}

/** The rows sorted by the text of a column, or by its number. */
export function sortedBy(table: Table, column: string): Table {
  const at = table.columns.findIndex((candidate) => candidate.name === column);
  if (at === -1) return table;
  const rows = [...table.rows].sort((one, other) => compare(one[at], other[at]));
  return { columns: table.columns, rows };
}

/** Names are safe identifiers, so comparing UTF-16 units compares code points. */
function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one) < String(other) ? -1 : String(one) > String(other) ? 1 : 0;
}

/** A page of a table in memory. */
export function pageOf(table: Table, page: { readonly limit?: number; readonly offset?: number }): Table {
  if (page.limit === undefined && page.offset === undefined) return table;
  const from = page.offset ?? 0;
  return {
    columns: table.columns,
    rows: table.rows.slice(from, page.limit === undefined ? undefined : from + page.limit),
  };
}
