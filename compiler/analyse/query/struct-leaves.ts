import type { Column } from '../../../runtime/contract/query.ts';
import type { TypedExpression } from '../../catalog/expression.ts';
import type { BoundQuery, BoundRelation } from '../../catalog/query.ts';
import { maskOfLeaf } from '../sensitive/mask.ts';

/**
 * A derived table's query with the fields of every STRUCT that it passes on (`data` of an event relation) as hidden columns
 * `data.<field>`, so that `t.data.field` reads outside what it reads inside. Rows must stay as they are, so not under DISTINCT or
 * GROUP BY.
 */
export function withLeaves(query: BoundQuery): BoundQuery {
  const { body } = query;
  if (body.kind !== 'select' || body.distinct || body.aggregated) return query;
  const columns: Column[] = [];
  const items: TypedExpression[] = [];
  body.items.forEach((item, index) => {
    const struct = item.kind === 'mask' ? item.of[0] : item;
    const outer = query.columns[index];
    if (struct?.kind !== 'column' || struct.type.kind !== 'STRUCT' || outer === undefined) return;
    for (const field of struct.type.fields) {
      if (!hasLeaf(body.from, struct.relation, `${struct.column}.${field.name}`)) continue;
      const sensitive = field.sensitive === true;
      const leaf: TypedExpression = {
        kind: 'column',
        relation: struct.relation,
        column: `${struct.column}.${field.name}`,
        type: field.type,
        nullable: true,
        sensitive,
      };
      items.push(item.kind === 'mask' && sensitive ? maskOfLeaf(leaf) : leaf);
      columns.push({ name: `${outer.name}.${field.name}`, type: field.type, nullable: true, sensitive, hidden: true });
    }
  });
  if (items.length === 0) return query;
  return { ...query, columns: [...query.columns, ...columns], body: { ...body, items: [...body.items, ...items] } };
}

/** Event relations and recorded inspections have every leaf; derived tables those that they pass on themselves. */
function hasLeaf(from: BoundRelation | undefined, id: number, name: string): boolean {
  if (from === undefined) return false;
  if (from.kind === 'join') return hasLeaf(from.left, id, name) || hasLeaf(from.right, id, name);
  if (from.id !== id) return false;
  if (from.kind === 'derived') return from.query.columns.some((column) => column.name === name);
  return from.source.kind === 'events' || from.source.kind === 'session';
}
