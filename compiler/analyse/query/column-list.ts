import type { Column } from '../../../language/contract/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Name } from '../../syntax/ast.ts';
import { checkDuplicates } from '../name/name-rules.ts';
import type { Binding } from './binding.ts';

/** Whether a list names every column; then each name in the list must be unique. */
export function namesAll(names: readonly Name[] | undefined, columns: readonly Column[]): boolean {
  return names !== undefined && names.length >= columns.filter((column) => column.hidden !== true).length;
}

/** The columns under the names of a column list, which names columns from the first on; hidden columns are excluded. */
export function renamed<C extends Column>(
  columns: readonly C[],
  names: readonly Name[] | undefined,
  owner: Name | undefined,
  binding: Binding,
): readonly C[] {
  if (names === undefined) return columns;
  const shown = columns.filter((column) => column.hidden !== true);
  const beyond = names[shown.length];
  if (beyond !== undefined) {
    const name = owner?.text ?? 'the derived table';
    binding.report(diagnose('E0613', beyond.span, { name, named: names.length, columns: shown.length }));
  }
  checkDuplicates(names, owner?.text ?? 'the column list', binding.report);
  let next = 0;
  return columns.map((column) =>
    column.hidden === true ? column : { ...column, name: names[next++]?.text ?? column.name },
  );
}

/** Columns that are stored, or read by others, are not INTERVALs. */
export function checkStorable(columns: readonly Column[], owner: Name, binding: Binding): void {
  for (const { name, type } of columns)
    if (type.kind === 'INTERVAL') binding.report(diagnose('E0315', owner.span, { name }));
}

export function checkDistinctNames(columns: readonly Column[], owner: Name, binding: Binding): void {
  const seen = new Set<string>();
  for (const column of columns) {
    const lower = column.name.toLowerCase();
    if (seen.has(lower)) binding.report(diagnose('E0216', owner.span, { owner: `'${owner.text}'`, name: column.name }));
    seen.add(lower);
  }
}
