import type { Column } from '../../../language/contract/query.ts';

/** The columns of the table of access. */
export const accessColumns: readonly Column[] = [
  textColumn('kind'),
  textColumn('name'),
  textColumn('right'),
  { name: 'granted', type: { kind: 'BOOLEAN' }, nullable: true, sensitive: false },
  textColumn('rows'),
  ...['condition', 'masked', 'cleared'].map((name) => ({ ...textColumn(name), nullable: true })),
];

export function textColumn(name: string): Column {
  return { name, type: { kind: 'STRING' }, nullable: false, sensitive: false };
}
