import type { BoundBody, SortKey } from '../../../language/catalog/query.ts';
import type { Environment } from '../environment/environment.ts';
import { columnOf } from '../typed/typed.ts';

/**
 * A SELECT over a projection alone, without ORDER BY, keeps the projection's order (docs/language.md#projection). The keys are copied onto
 * the columns that are read, so printers need no rule for this: a projection's own keys are always output columns (hidden ones if it orders
 * by columns it does not select; see `withHiddenKeys`).
 */
export function keptOrder(body: BoundBody, environment: Environment): readonly SortKey[] {
  if (body.kind !== 'select' || body.aggregated || body.distinct) return [];
  const { from } = body;
  if (from?.kind !== 'relation' || from.source.kind !== 'projection' || from.store !== undefined) return [];
  const found = environment.find('projection', from.source.projection);
  if (found.status !== 'found') return [];
  const { query } = found.block;
  return query.orderBy.flatMap((key): SortKey[] => {
    const column = key.by === 'output' ? query.columns[key.index] : undefined;
    if (column === undefined) return [];
    return [{ direction: key.direction, nulls: key.nulls, by: 'expression', expression: columnOf(from.id, column) }];
  });
}
