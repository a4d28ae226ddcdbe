import type { DecisionBlock } from '../../../language/catalog/block.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundQuery } from '../../../language/catalog/query.ts';
import { isVolatileCall } from '../../functions/properties-of-call.ts';
import type { Environment } from '../environment/environment.ts';
import { walkExpression } from '../typed/walk.ts';

export interface StateLookup {
  readonly lookup: NonNullable<DecisionBlock['stateDefaults']>;
  /** Positions of the columns that a DEFAULT fills. */
  readonly answered: readonly number[];
}

/**
 * The plain lookup of one stream's state (docs/language.md#aggregate): `SELECT fields FROM X$Agg WHERE aggregate_id = …`, the fields
 * renamed or not, the equality on `aggregate_id` or the KEY field. For a stream without events it gives the DEFAULTs. The `key` is the
 * other side of the equality.
 */
export function stateDefaults(query: BoundQuery, environment: Environment): StateLookup | undefined {
  const { body } = query;
  const bare =
    query.with.length === 0 && query.orderBy.length === 0 && query.limit === undefined && query.offset === undefined;
  if (!bare || body.kind !== 'select' || body.aggregated || body.distinct) return undefined;
  const { from, where } = body;
  if (from?.kind !== 'relation' || from.source.kind !== 'state' || from.store !== undefined) return undefined;
  if (!body.items.every((item) => item.kind === 'column')) return undefined;
  const found = environment.find('aggregate', from.source.aggregate);
  if (found.status !== 'found' || where?.kind !== 'call' || where.function !== 'equal') return undefined;
  const ids = new Set(['aggregate_id', found.block.keyField ?? 'aggregate_id']);
  const isId = (side: TypedExpression | undefined): boolean => {
    const column = side?.kind === 'cast' && side.mode === 'implicit' ? side.operand : side;
    return column?.kind === 'column' && ids.has(column.column);
  };
  const [left, right] = where.arguments;
  const key = isId(left) ? right : isId(right) ? left : undefined;
  if (key === undefined || variesByRow(key)) return undefined;
  const initial = new Set(found.block.initial.map(({ column }) => column));
  const answered = body.items.flatMap((item, index) => (initial.has(item.column) ? [index] : []));
  return { lookup: { aggregate: found.block.name, key }, answered };
}

/** Whether its value can differ between rows of the query. */
function variesByRow(expression: TypedExpression): boolean {
  let reads = false;
  walkExpression(expression, (part) => {
    reads ||=
      part.kind === 'column' ||
      part.kind === 'scalar-query' ||
      part.kind === 'exists' ||
      part.kind === 'in-query' ||
      isVolatileCall(part);
    return !reads;
  });
  return reads;
}
