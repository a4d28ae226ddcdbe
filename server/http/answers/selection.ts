import type { QueryOptions } from '../../../runtime/store/store.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { Selection } from '../../../language/contract/selection.ts';
import type { ColumnBatch } from '../../../language/contract/column-bytes.ts';
import { Failure } from '../../../language/failure/failure.ts';
import { mostOfResult } from '../held-results.ts';
import type { Call } from '../pipeline/route.ts';
import { withinRoom } from '../pipeline/within-room.ts';

/** Adds the name of the read relation to a failure of the schema on this data: the caller may have read many relations. */
export async function named<T>(what: string, read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'schema') throw error;
    throw new Failure(error.code, `${what}: ${error.message}`, error.field);
  }
}

/** Rows of a result that is expected to be small. */
const fewRows = 100;

/** Reads a whole selection, within the budget of a result and the room that is left for it, masked unless the caller may see sensitive values. */
export function readResult(call: Call, selection: Selection, isOneRow = false): Promise<Table> {
  const { limits } = call.options.settings;
  const most = mostOfResult(limits);
  const expectsSmall = isOneRow || (selection.limit ?? Infinity) <= fewRows;
  // Computing the result, for example sorting it, may take about twice its memory.
  const computing = { milliseconds: limits.resultMilliseconds, memory: 2 * most };
  return withinRoom(call.lease, { most, expectsSmall }, (room) =>
    readSelection(call, selection, { ...computing, ...room }),
  );
}

/** Reads a whole selection, within the given limits, masked unless the caller may see sensitive values. */
export async function readSelection(call: Call, selection: Selection, options: QueryOptions): Promise<Table> {
  const { select, engine } = call.options;
  const { query, parameters } = await select(call.domain, selection);
  return engine.query(query, parameters, {
    ...options,
    cleared: call.caller.cleared,
    compiledFor: call.domain.readModel,
  });
}

/** Reads a selection of at most `limit` rows by column, as bytes, masked likewise. */
export async function readColumns(call: Call, selection: Selection, options: QueryOptions): Promise<ColumnBatch> {
  const { select, engine } = call.options;
  const { query, parameters } = await select(call.domain, selection);
  return engine.columns(query, parameters, {
    ...options,
    cleared: call.caller.cleared,
    rows: selection.limit ?? 0,
    compiledFor: call.domain.readModel,
  });
}
