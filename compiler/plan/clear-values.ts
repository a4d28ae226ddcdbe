/** SENSITIVE values that a caller sees in the clear (docs/callers.md#clear). Takes a query of a caller without the right to see any. */
import type { TypedExpression } from '../../language/catalog/expression.ts';
import type { BoundNamedRelation, BoundQuery, BoundRelation } from '../../language/catalog/query.ts';
import type { Column } from '../../language/contract/query.ts';
import type { Type } from '../../language/values/type.ts';
import { blockOf, conditionOf, type Behind } from './visible-rows.ts';

/**
 * The query, whose columns that are a SENSITIVE column of a relation with CLEAR show it in the clear in the rows for which the condition is TRUE, and
 * masked in the others. Any other expression stays as it is, so that nothing is filtered, sorted or grouped by such a value.
 */
export function clearValues(query: BoundQuery, behind: (store: string | undefined) => Behind): BoundQuery {
  const { body, columns } = query;
  if (body.kind !== 'select' || body.from === undefined || body.distinct || body.aggregated) return query;
  const conditions = new Map<number, TypedExpression | 'all'>();
  for (const relation of namedIn(body.from)) {
    const at = behind(relation.store);
    if (blockOf(relation.source, at.catalog)?.clear !== undefined)
      conditions.set(relation.id, conditionOf(relation, at, 'clear') ?? 'all');
  }
  if (conditions.size === 0) return query;
  const shown = body.items.map((item) => {
    const column = columnOf(item);
    const condition = column === undefined ? undefined : conditions.get(column.relation);
    return column === undefined || condition === undefined ? undefined : cleared(column, condition);
  });
  return {
    ...query,
    columns: columns.map((column, at): Column => {
      const item = shown[at];
      return item === undefined ? column : { ...column, type: item.type, sensitive: false };
    }),
    body: { ...body, items: body.items.map((item, at) => shown[at] ?? item) },
  };
}

type ColumnNode = Extract<TypedExpression, { readonly kind: 'column' }>;

/** The SENSITIVE column that an item shows, or would without its mask. */
function columnOf(item: TypedExpression): ColumnNode | undefined {
  const [only] = item.kind === 'mask' && item.whole === true ? item.of : [item];
  return only?.kind === 'column' && isMarked(only) ? only : undefined;
}

function isMarked({ type, sensitive }: TypedExpression): boolean {
  return sensitive || (type.kind === 'STRUCT' && type.fields.some((field) => field.sensitive === true));
}

function cleared(column: ColumnNode, condition: TypedExpression | 'all'): TypedExpression {
  const facts = { type: unmarked(column.type), nullable: column.nullable, sensitive: false } as const;
  const clear: TypedExpression = { ...column, ...facts };
  if (condition === 'all') return clear;
  const masked: TypedExpression = { ...facts, kind: 'mask', of: [column] };
  return { ...facts, kind: 'case', branches: [{ when: condition, then: clear }], otherwise: masked };
}

function unmarked(type: Type): Type {
  if (type.kind !== 'STRUCT') return type;
  return { ...type, fields: type.fields.map(({ sensitive: _, ...field }) => field) };
}

function namedIn(relation: BoundRelation): readonly BoundNamedRelation[] {
  if (relation.kind === 'relation') return [relation];
  return relation.kind === 'join' ? [...namedIn(relation.left), ...namedIn(relation.right)] : [];
}
