import type { TypedExpression } from '../../language/catalog/expression.ts';
import type { BoundQuery } from '../../language/catalog/query.ts';

/**
 * A part of a bound query with other ids of its relations and common tables, where they are defined and where they are referred to. Bound
 * queries are plain data, in which only these have such members.
 */
export function renumbered<T extends BoundQuery | TypedExpression>(part: T, idOf: (id: number) => number): T {
  return JSON.parse(JSON.stringify(part), (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null) return inner;
    if ('relation' in inner && typeof inner.relation === 'number') return { ...inner, relation: idOf(inner.relation) };
    if ('table' in inner && typeof inner.table === 'number') return { ...inner, table: idOf(inner.table) };
    const kind = 'kind' in inner ? inner.kind : undefined;
    const defines = kind === 'relation' || kind === 'derived' || ('query' in inner && 'name' in inner);
    return defines && 'id' in inner && typeof inner.id === 'number' ? { ...inner, id: idOf(inner.id) } : inner;
  }) as T;
}

/** Ids from here on belong to an instance of a relation: far above every id of a text within the limits of the language. */
export function idsOf(relation: number): number {
  return (relation + 1) * 1_000_000;
}
