import type { BoundQuery } from '../../language/catalog/query.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';

/** The number of rows that a plain SELECT gives, with the same parameters. The content of the rows is not computed. */
export function rowCount(query: BoundQuery): BoundQuery {
  const { body } = query;
  if (body.kind !== 'select' || body.distinct || body.aggregated)
    throw new Error('only the rows of a plain SELECT are counted so');
  const counted = { type: { kind: 'BIGINT' }, nullable: false, sensitive: false } as const;
  const count: TypedExpression = {
    ...counted,
    kind: 'aggregate',
    function: 'COUNT',
    arguments: [],
    distinct: false,
    orderBy: [],
  };
  return {
    ...query,
    columns: [{ name: 'count', ...counted }],
    body: { ...body, items: [count], aggregated: true },
    orderBy: [],
  };
}
