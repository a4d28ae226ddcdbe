import type { MetaTable } from '../../../language/contract/read-model.ts';

/** What was made ahead of a swap, as far as the swap must know. */
export interface Ahead {
  /** Views that could not be checked: they may read what only the change brings. */
  readonly unchecked: Set<string>;
  /** Meta tables whose rows are different, and written aside. */
  meta: readonly MetaTable[];
}

export function createAhead(): Ahead {
  return { unchecked: new Set(), meta: [] };
}
