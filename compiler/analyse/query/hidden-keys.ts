import type { Column } from '../../../language/contract/query.ts';
import type { BoundQuery, BoundSelect, SortKey } from '../../../language/catalog/query.ts';

/**
 * A projection's query with every sort key among its columns: a key that is not selected becomes a hidden column `order$1`, … (`$` differs
 * from all names that can be declared). A query over the projection can then keep its order.
 */
export function withHiddenKeys(query: BoundQuery): BoundQuery {
  const { body } = query;
  if (body.kind !== 'select' || body.distinct || query.orderBy.every((key) => key.by === 'output')) return query;
  const columns: Column[] = [...query.columns];
  const items = [...body.items];
  const orderBy = query.orderBy.map((key, index): SortKey => {
    if (key.by === 'output') return key;
    const { type, nullable, sensitive } = key.expression;
    columns.push({ name: `order$${index + 1}`, type, nullable, sensitive, hidden: true });
    items.push(key.expression);
    return { direction: key.direction, nulls: key.nulls, by: 'output', index: items.length - 1 };
  });
  const select: BoundSelect = { ...body, items };
  return { ...query, columns, body: select, orderBy };
}
