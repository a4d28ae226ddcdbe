import type { Column } from '../../../runtime/contract/query.ts';
import type { BoundCommonTable, BoundQuery } from '../../catalog/query.ts';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { CommonTable, Name, Query } from '../../syntax/ast.ts';
import { checkDuplicates } from '../name/name-rules.ts';
import { bindQuery } from './bind-query.ts';
import type { Binding } from './binding.ts';
import { bindRecursive, refersTo } from './recursive-table.ts';
import type { CommonTableScope, Scope } from './scope.ts';
import { withLeaves } from './struct-leaves.ts';

export interface CommonTables {
  readonly tables: readonly BoundCommonTable[];
  /** Innermost first. */
  readonly scopes: readonly CommonTableScope[];
  /** One of them does read itself. */
  readonly recursive: boolean;
}

/** WITH: each table sees those before it, and under RECURSIVE itself. */
export function bindCommonTables(node: Query, binding: Binding, scope: Scope): CommonTables {
  checkDuplicates(
    node.with.map((table) => table.name),
    'WITH',
    binding.report,
  );
  const tables: BoundCommonTable[] = [];
  let scopes: readonly CommonTableScope[] = [];
  let recursive = false;
  for (const table of node.with) {
    const inner: Scope = { ...scope, tables: [...scopes, ...scope.tables] };
    const id = binding.nextId();
    const loops = node.recursive && refersTo(table.query, table.name.text);
    recursive ||= loops;
    const bound = loops ? bindRecursive(table, id, binding, inner) : bindTable(table, binding, inner);
    tables.push({ id, name: table.name.text, query: bound.query });
    scopes = [{ id, name: table.name.text, columns: bound.query.columns, open: bound.open }, ...scopes];
  }
  return { tables, scopes, recursive };
}

function bindTable(table: CommonTable, binding: Binding, scope: Scope): { query: BoundQuery; open: boolean } {
  const { query: bare, open } = bindQuery(table.query, binding, scope, { ordered: false });
  const query = open ? bare : withLeaves(bare);
  const columns = open ? query.columns : renamed(query.columns, table.columns, table.name, binding);
  if (!open && !namesAll(table.columns, columns)) checkDistinctNames(columns, table.name, binding);
  return { query: { ...query, columns }, open };
}

/** Whether a list names every column; then the list itself is held to have each name once. */
export function namesAll(names: readonly Name[] | undefined, columns: readonly Column[]): boolean {
  return names !== undefined && names.length >= columns.filter((column) => column.hidden !== true).length;
}

/** The columns under the names of a column list, as many as it names from the first on; hidden columns are not among them. */
export function renamed(
  columns: readonly Column[],
  names: readonly Name[] | undefined,
  owner: Name | undefined,
  binding: Binding,
): readonly Column[] {
  if (names === undefined) return columns;
  const shown = columns.filter((column) => column.hidden !== true);
  const beyond = names[shown.length];
  if (beyond !== undefined) {
    const name = owner?.text ?? 'the derived table';
    binding.report(diagnose('E0613', beyond.span, { name, named: names.length, columns: shown.length }));
  }
  checkDuplicates(names, owner?.text ?? 'the column list', binding.report);
  return [
    ...shown.map((column, index) => ({ ...column, name: names[index]?.text ?? column.name })),
    ...columns.filter((column) => column.hidden === true),
  ];
}

export function checkDistinctNames(columns: readonly Column[], owner: Name, binding: Binding): void {
  const seen = new Set<string>();
  for (const column of columns) {
    const lower = column.name.toLowerCase();
    if (seen.has(lower)) binding.report(diagnose('E0216', owner.span, { owner: `'${owner.text}'`, name: column.name }));
    seen.add(lower);
  }
}
