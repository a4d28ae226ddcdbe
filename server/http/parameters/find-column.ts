import type { Column } from '../../../language/contract/query.ts';

/** The column of a name: that spelling, else the only one that differs in case. `several` if the name belongs to more than one column. */
export function findColumn(columns: readonly Column[], name: string): Column | 'several' | undefined {
  const exact = columns.filter((column) => column.name === name);
  const lower = name.toLowerCase();
  const found = exact.length > 0 ? exact : columns.filter((column) => column.name.toLowerCase() === lower);
  return found.length > 1 ? 'several' : found[0];
}
