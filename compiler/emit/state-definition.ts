import type { StateDefinition } from '../../language/contract/decision.ts';
import { parseDecimal, rescale } from '../../language/values/decimal.ts';
import { fromPayload } from '../../language/values/payload.ts';
import type { Type, Value } from '../../language/values/type.ts';
import type { DecisionBlock } from '../../language/catalog/block.ts';
import { findBlock, type Catalog } from '../../language/catalog/catalog.ts';
import type { LiteralShape, TypedExpression } from '../../language/catalog/expression.ts';
import type { FoldStatePlan } from '../../language/plan/fold.ts';
import { planState } from '../plan/plan-state.ts';
import { compileFoldLoad, foldColumns } from './fold-load.ts';
import { compileStateQuery } from './standard-queries.ts';
import { createRowPrinter } from './typescript/row-printer.ts';
import type { DecisionState } from '../../templates/decision-definition.ts';

/** The reads of a decision or a reaction. */
interface StateBlock {
  readonly state?: DecisionBlock['state'];
  readonly stateDefaults?: DecisionBlock['stateDefaults'];
}

/** Makes the read of the state of a decision or a reaction: by folds if its query can be planned so, else by the query. */
export function createDecisionState(catalog: Catalog, block: StateBlock): DecisionState | undefined {
  const query = compileStateQuery(catalog, block);
  if (query === undefined || block.state === undefined) return undefined;
  const definition: StateDefinition = { columns: block.state.columns, query, empty: emptyRow(catalog, block) };
  const plan = planState(block.state, catalog);
  const columns = keyColumns(catalog, block);
  return {
    definition,
    printer: createRowPrinter(),
    ...(plan.kind === 'folds' ? { folds: foldParts(catalog, plan) } : {}),
    ...(columns.length === 0 || block.stateDefaults === undefined
      ? {}
      : { emptyKey: { columns, id: block.stateDefaults.key } }),
  };
}

function foldParts(catalog: Catalog, plan: FoldStatePlan): NonNullable<DecisionState['folds']> {
  return {
    plan,
    loads: plan.lookups.map(({ fold }) => compileFoldLoad(catalog, fold)),
    columns: plan.lookups.map(({ fold }) => foldColumns(fold)),
  };
}

/** Each state column when there is no row: the DEFAULT of an empty stream if the lookup is one, else NULL. */
function emptyRow(catalog: Catalog, block: StateBlock): readonly Value[] {
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
function lookedUp(block: StateBlock, index: number): string | undefined {
  const body = block.state?.body;
  const item: TypedExpression | undefined = body?.kind === 'select' ? body.items[index] : undefined;
  return item?.kind === 'column' ? item.column : undefined;
}

/** The columns of the state that are the requested id, when a stream without events gives its DEFAULTs. */
function keyColumns(catalog: Catalog, block: StateBlock): readonly number[] {
  const { stateDefaults, state } = block;
  if (stateDefaults === undefined || state === undefined) return [];
  const keys = ['aggregate_id', findBlock(catalog, 'aggregate', stateDefaults.aggregate)?.keyField?.toLowerCase()];
  return state.columns.flatMap((_, index) => (keys.includes(lookedUp(block, index)?.toLowerCase()) ? [index] : []));
}

function literalValue(value: LiteralShape['value'], type: Type): Value {
  if (type.kind !== 'DECIMAL' || value === null) return fromPayload(value, type);
  const written = parseDecimal(String(value));
  return written === undefined ? null : rescale(written.unscaled, written.scale, type.scale);
}
