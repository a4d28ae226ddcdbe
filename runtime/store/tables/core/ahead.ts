import type { MetaTable } from '../../../../language/contract/read-model.ts';

/** The parts of work done ahead of a swap that the swap needs. */
export interface Ahead {
  /** Views that could not be checked: they may read tables that only the change creates. */
  readonly unchecked: Set<string>;
  /** Meta tables whose rows differ, and are written aside. */
  meta: readonly MetaTable[];
}

export function createAhead(): Ahead {
  return { unchecked: new Set(), meta: [] };
}
