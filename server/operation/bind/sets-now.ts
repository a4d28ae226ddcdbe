import type { PresentSet } from '../../../compiler/index.ts';
import type { CompiledQuery } from '../../../language/contract/query.ts';
import type { Value } from '../../../language/values/type.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { Raw } from '../../../runtime/engine/raw.ts';
import { unmasked } from '../../../runtime/engine/unmasked.ts';
import type { QueryOptions } from '../../../runtime/store/store.ts';

/** A question about the present whose answer decides which rows of the past are shown. */
export interface CompiledSet extends Pick<PresentSet, 'name' | 'gives' | 'most'> {
  readonly query: CompiledQuery;
  readonly parameters: readonly Value[];
}

/** Bytes of the values of a set; past it the question fails as one over its budget does. */
const mostBytes = 16 * 1024 * 1024;

/** The values of parameters that the present gives, by name. They reach no caller. */
export async function setsNow(
  sets: readonly CompiledSet[],
  ask: (query: CompiledQuery, parameters: readonly Value[], options: QueryOptions) => Promise<Raw<Table>>,
): Promise<ReadonlyMap<string, Value>> {
  const values = new Map<string, Value>();
  for (const { name, gives, most, query, parameters } of sets) {
    const { rows } = unmasked(
      await ask(query, parameters, { bytes: mostBytes, ...(most !== undefined && { rows: most }) }),
    );
    values.set(name, gives === 'rows' ? rows.length > 0 : rows.map(([value = null]) => value));
  }
  return values;
}
