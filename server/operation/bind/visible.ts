import { clearValues, givenStreams, visibleRows, type BoundQuery, type Catalog } from '../../../compiler/index.ts';
import type { Asker } from '../asker.ts';

/**
 * Gives each relation that the query names the rows that the caller may see (docs/callers.md#visible): the only place that decides about rows. The rows are
 * chosen before an expression of the caller meets one.
 */
export function visible(
  query: BoundQuery,
  asker: Asker | undefined,
  catalogOf: (store: string | undefined) => Catalog,
): BoundQuery {
  if (asker === undefined || asker.seesAll) return query;
  return givenStreams(visibleRows(query, (store) => ({ catalog: catalogOf(store), caller: asker })));
}

/** Shows SENSITIVE values of some rows to a caller without the right to see any (docs/callers.md#clear). */
export function clear(
  query: BoundQuery,
  asker: Asker | undefined,
  catalogOf: (store: string | undefined) => Catalog,
): BoundQuery {
  if (asker?.isMasked !== true) return query;
  return clearValues(query, (store) => ({ catalog: catalogOf(store), caller: asker }));
}
