import type { QueryBudget } from '../store/store.ts';
import type { Table } from '../engine/outcome.ts';
import type { Selection } from '../contract/selection.ts';
import type { ColumnBatch } from '../contract/column-bytes.ts';
import { Failure } from '../failure/failure.ts';
import type { Call } from './route.ts';

/** What is read, named where the schema is at fault on this data: the caller may have asked for one thing of many. */
export async function named<T>(what: string, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'schema') throw error;
    throw new Failure(error.code, `${what}: ${error.message}`, error.field);
  }
}

/** Reads a selection whole, within the budget given or that of a result, masked unless the caller is cleared. */
export async function readSelection(call: Call, selection: Selection, budget?: QueryBudget): Promise<Table> {
  const { select, engine, settings } = call.options;
  const { resultBytes: bytes, resultMilliseconds: milliseconds } = settings.limits;
  const { query, parameters } = await select(call.domain, selection);
  return engine.query(query, parameters, {
    cleared: call.caller.cleared,
    budget: { ...(budget ?? { bytes, milliseconds }), registry: call.domain.readModel },
  });
}

/** Reads a selection of at most `limit` rows by column, as bytes, masked likewise. */
export async function readColumns(call: Call, selection: Selection, budget: QueryBudget): Promise<ColumnBatch> {
  const { select, engine } = call.options;
  const { query, parameters } = await select(call.domain, selection);
  return engine.columns(query, parameters, {
    cleared: call.caller.cleared,
    rows: selection.limit ?? 0,
    budget: { ...budget, registry: call.domain.readModel },
  });
}
