import type { BoundQuery, TypedExpression } from '../../compiler/index.ts';

/** `SELECT v1, v2, …`: the engine evaluates constant expressions, so they have the same meaning everywhere. */
export function constantQuery(values: readonly TypedExpression[]): BoundQuery {
  const columns = values.map(({ type, nullable }, index) => ({ name: `c${index}`, type, nullable, sensitive: false }));
  return {
    columns,
    recursive: false,
    with: [],
    body: { kind: 'select', distinct: false, items: values, groupBy: [], aggregated: false },
    orderBy: [],
  };
}
