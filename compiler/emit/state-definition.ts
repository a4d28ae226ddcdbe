import type { StateDefinition } from '../../runtime/contract/decision.ts';
import { parseDecimal, rescale } from '../../runtime/values/decimal.ts';
import { fromPayload } from '../../runtime/values/payload.ts';
import type { Type, Value } from '../../runtime/values/type.ts';
import type { DecisionBlock } from '../catalog/block.ts';
import { findBlock, type Catalog } from '../catalog/catalog.ts';
import type { LiteralShape, TypedExpression } from '../catalog/expression.ts';
import { compileStateQuery } from './standard-queries.ts';

/** How the state of a decision is found, without what only generated code can say. */
export function createStateDefinition(catalog: Catalog, block: DecisionBlock): StateDefinition | undefined {
  const query = compileStateQuery(catalog, block);
  if (query === undefined || block.state === undefined) return undefined;
  return { columns: block.state.columns, query, empty: emptyRow(catalog, block) };
}

/** What each state column is when there is no row: an empty stream's DEFAULT where the lookup is one, else NULL. */
function emptyRow(catalog: Catalog, block: DecisionBlock): readonly Value[] {
  const columns = block.state?.columns ?? [];
  const aggregate =
    block.stateDefaults === undefined ? undefined : findBlock(catalog, 'aggregate', block.stateDefaults.aggregate);
  if (aggregate === undefined) return columns.map(() => null);
  return columns.map((column, index) => {
    const source = lookedUp(block, index);
    const initial = aggregate.initial.find((candidate) => candidate.column.toLowerCase() === source?.toLowerCase());
    return initial === undefined ? null : literalValue(initial.value, column.type);
  });
}

/** The `$Agg` column behind a column of a plain lookup. */
function lookedUp(block: DecisionBlock, index: number): string | undefined {
  const body = block.state?.body;
  const item: TypedExpression | undefined = body?.kind === 'select' ? body.items[index] : undefined;
  return item?.kind === 'column' ? item.column : undefined;
}

/** The column of the state that is the id asked for, when a stream without events answers with DEFAULTs. */
export function keyColumn(catalog: Catalog, block: DecisionBlock): number | undefined {
  const { stateDefaults, state } = block;
  if (stateDefaults === undefined || state === undefined) return undefined;
  const keys = ['aggregate_id', findBlock(catalog, 'aggregate', stateDefaults.aggregate)?.keyField?.toLowerCase()];
  const found = state.columns.findIndex((_, index) => keys.includes(lookedUp(block, index)?.toLowerCase()));
  return found < 0 ? undefined : found;
}

function literalValue(value: LiteralShape['value'], type: Type): Value {
  if (type.kind !== 'DECIMAL' || value === null) return fromPayload(value, type);
  const written = parseDecimal(String(value));
  return written === undefined ? null : rescale(written.unscaled, written.scale, type.scale);
}
