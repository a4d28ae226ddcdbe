import type { Column } from '../../../language/contract/query.ts';
import { distinctNames } from '../../../language/catalog/distinct-names.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundQuery, BoundRelation } from '../../../language/catalog/query.ts';
import { maskOfLeaf } from '../sensitive/mask.ts';

/** A field of a STRUCT as a column: `of` is the STRUCT's index among the columns. */
export interface Leaf {
  readonly of: number;
  readonly field: string;
  readonly column: Column;
}

/**
 * A derived table's query with the fields of every STRUCT that it passes on (`data` of an event relation) as hidden columns `data.<field>`,
 * so that `t.data.field` means the same outside as inside. Rows must stay unchanged, so not under DISTINCT or GROUP BY.
 */
export function withLeaves(query: BoundQuery): { readonly query: BoundQuery; readonly leaves: readonly Leaf[] } {
  const { body } = query;
  if (body.kind !== 'select' || body.distinct || body.aggregated) return { query, leaves: [] };
  const leaves: Leaf[] = [];
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
      const name = `${outer.name}.${field.name}`;
      leaves.push({
        of: index,
        field: field.name,
        column: { name, type: field.type, nullable: true, sensitive, hidden: true },
      });
    }
  });
  if (items.length === 0) return { query, leaves: [] };
  // A quoted column with the name of a leaf keeps its name.
  const all = [...query.columns, ...leaves.map(({ column }) => column)];
  const own = distinctNames(all.map(({ name }) => name));
  const columns = all.map((column, index) => ({ ...column, name: own[index] ?? column.name }));
  return {
    query: { ...query, columns, body: { ...body, items: [...body.items, ...items] } },
    leaves: leaves.map((leaf, index) => ({ ...leaf, column: columns[query.columns.length + index] ?? leaf.column })),
  };
}

/** Event relations and recorded inspections have every leaf; derived tables those that they pass on themselves. */
function hasLeaf(from: BoundRelation | undefined, id: number, name: string): boolean {
  if (from === undefined) return false;
  if (from.kind === 'join') return hasLeaf(from.left, id, name) || hasLeaf(from.right, id, name);
  if (from.id !== id) return false;
  if (from.kind === 'derived')
    return from.query.columns.some((column) => column.name === name && column.hidden === true);
  return from.source.kind === 'events' || from.source.kind === 'session';
}
