import type { QueryBudget } from '../../../runtime/store/store.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { Selection } from '../../../language/contract/selection.ts';
import type { ColumnBatch } from '../../../language/contract/column-bytes.ts';
import { Failure } from '../../../language/failure/failure.ts';
import { mostOfResult } from '../held-results.ts';
import type { Call } from '../pipeline/route.ts';
import { withinRoom } from '../pipeline/within-room.ts';

/** What is read, named where the schema is at fault on this data: the caller may have asked for one thing of many. */
export async function named<T>(what: string, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'schema') throw error;
    throw new Failure(error.code, `${what}: ${error.message}`, error.field);
  }
}

/** Rows that are expected to be a small result. */
const fewRows = 100;

/** Reads a selection whole, within the budget of a result and the room that is left for it, masked unless the caller is cleared. */
export function readResult(call: Call, selection: Selection, isOneRow = false): Promise<Table> {
  const { limits } = call.options.settings;
  const most = mostOfResult(limits);
  const expectsSmall = isOneRow || (selection.limit ?? Infinity) <= fewRows;
  // Computing it, sorting for example, may take about twice what the result does.
  const computing = { milliseconds: limits.resultMilliseconds, memory: 2 * most };
  return withinRoom(call.lease, { most, expectsSmall }, (room) =>
    readSelection(call, selection, { ...computing, ...room }),
  );
}

/** Reads a selection whole, within the budget given, masked unless the caller is cleared. */
export async function readSelection(call: Call, selection: Selection, budget: QueryBudget): Promise<Table> {
  const { select, engine } = call.options;
  const { query, parameters } = await select(call.domain, selection);
  return engine.query(query, parameters, {
    cleared: call.caller.cleared,
    budget: { ...budget, registry: call.domain.readModel },
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
