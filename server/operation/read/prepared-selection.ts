import type { Domain } from '../../../language/contract/domain.ts';
import type { CompiledQuery } from '../../../language/contract/query.ts';
import type { Selection } from '../../../language/contract/selection.ts';

/**
 * The query of a selection that the build already compiled: a whole relation, unfiltered, in its own order. It needs no compiler, so a
 * server can read as soon as it starts. Undefined for any other selection.
 */
export function preparedSelection(domain: Domain, selection: Selection): CompiledQuery | undefined {
  const { relation, columns, filters, order, after, until, limit, offset } = selection;
  if (columns === 'count' || filters.length > 0 || order.length > 0) return undefined;
  if ([after, until, limit, offset].some((bound) => bound !== undefined)) return undefined;
  const query = wholeRelation(domain, relation);
  const same =
    query?.columns.length === columns.length && query.columns.every(({ name }, index) => name === columns[index]);
  return same ? query : undefined;
}

function wholeRelation(domain: Domain, relation: string): CompiledQuery | undefined {
  const projection = domain.projections.find(({ name }) => name === relation);
  return projection?.query ?? domain.aggregates.find(({ name }) => `${name}$Agg` === relation)?.all;
}
