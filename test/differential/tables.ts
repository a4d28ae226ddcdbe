import type { Type, Value } from '../../language/values/type.ts';
import type { Column } from './random-query-text.ts';

const INT: Type = { kind: 'INT' };
const TEXT: Type = { kind: 'STRING' };
const TRUTH: Type = { kind: 'BOOLEAN' };

export interface Table {
  readonly name: string;
  readonly types: readonly Type[];
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
}

function table(name: string, columns: Readonly<Record<string, Type>>, rows: Table['rows']): Table {
  const families = { INT: 'number', STRING: 'text', BOOLEAN: 'truth' } as const;
  return {
    name,
    types: Object.values(columns),
    columns: Object.entries(columns).map(([column, { kind }]) => ({
      name: /^[a-z]+$/.test(column) && column.length < 4 ? column : `"${column}"`,
      family: families[kind as keyof typeof families],
    })),
    rows,
  };
}

/** Small tables with NULLs, repeated rows and names that are keywords of one engine or another. */
export const tables: readonly Table[] = [
  table('t', { id: INT, k: TEXT, order: INT, ok: TRUTH }, [
    [1, 'a', 2, true],
    [2, 'a', null, false],
    [3, 'b', 0, null],
    [null, null, 1, true],
  ]),
  table('u', { id: INT, k: TEXT, true: TRUTH, value: INT }, [
    [1, 'a', false, 3],
    [3, 'c', true, null],
    [3, null, null, 1],
    [9, 'b', true, 2],
  ]),
  table('v', { id: INT, index: TEXT, rowid: INT }, [
    [1, 'a', 7],
    [9, 'b', null],
    [4, null, 1],
  ]),
  table('empty', { id: INT, k: TEXT }, []),
];
