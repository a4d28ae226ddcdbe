import { findMetaRelation } from '../../../language/contract/meta-relations.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import type { MetaTable } from '../../../language/contract/read-model.ts';
import { raw } from '../../../runtime/engine/raw.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { Row } from '../../../runtime/store/store.ts';
import type { Caller } from '../caller.ts';
import { shownTable, type Shown } from '../shown.ts';

const tables = new WeakMap<MetaTable, Table>();

/**
 * The rows of a meta relation, from the handler table itself (docs/language.md#meta-relations): all, or those about one block, whose name is the
 * first column of each.
 */
export function metaRows(domain: Domain, relation: string, name?: string): Table {
  const found = domain.readModel.meta.find((table) => table.name === relation);
  if (found === undefined) throw new Error(`the domain has no ${relation}`);
  let table = tables.get(found);
  if (table === undefined) {
    const columns = found.columns.map((column): Column => ({ ...column, nullable: true, sensitive: false }));
    tables.set(found, (table = { columns, rows: found.rows }));
  }
  return about(table, name);
}

/** The records of inspections, which are data of the store, not of the registry: all, or the one of a name. */
export function inspectionTable(rows: readonly Row[], name?: string): Table {
  return about({ columns: findMetaRelation('meta_inspections')?.columns ?? [], rows }, name);
}

function about({ columns, rows }: Table, name: string | undefined): Table {
  return { columns, rows: name === undefined ? rows : rows.filter((row) => row[0] === name) };
}

/** A page of such a table, sorted by the text of a column, or by its number, if it has the column. */
export function metaPage(table: Table, caller: Caller, page: Page, order?: string): Shown<Table> {
  return shownTable(raw(pageOf(table, page, order)), caller);
}

interface Page {
  readonly limit?: number;
  readonly offset?: number;
}

export function pageOf({ columns, rows }: Table, { limit = Infinity, offset = 0 }: Page, order?: string): Table {
  const at = columns.findIndex(({ name }) => name === order);
  const sorted = at === -1 ? rows : [...rows].sort((one, other) => compare(one[at], other[at]));
  return { columns, rows: sorted.slice(offset, offset + limit) };
}

/** Names are safe identifiers, so comparing UTF-16 units compares code points. */
function compare(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one) < String(other) ? -1 : String(one) > String(other) ? 1 : 0;
}
