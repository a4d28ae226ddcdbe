import type { QueryOptions } from '../../../runtime/store/store.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { Selection } from '../../../language/contract/selection.ts';
import type { ColumnBatch } from '../../../language/contract/column-bytes.ts';
import { Failure } from '../../../language/failure/failure.ts';
import { shownColumns, shownTable, type Shown } from '../../operation/shown.ts';
import { mostOfResult } from '../../operation/room/held-results.ts';
import type { Call } from '../pipeline/route.ts';
import { withinRoom } from '../../operation/room/within-room.ts';

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

/** With a value for a column, mostly its key, a selection has few rows as well. If not, it is read again as a large one. */
function expectsFew({ limit = Infinity, filters }: Selection): boolean {
  return limit <= fewRows || filters.some(({ test }) => test === 'equal');
}

/** Selections of a shape read the same relation by the same columns, whatever their values. */
function shapeOf({ domain }: Call, { relation, filters, order, columns }: Selection): string {
  let shape = `${domain.hash} ${relation} ${columns === 'count' ? columns : ''}`;
  for (const { column, test } of filters) shape += ` ${column} ${test}`;
  for (const { column } of order) shape += ` by ${column}`;
  return shape;
}

/** With a filter that is no equality, or an order, every row may have to be looked at. */
function isSearch({ filters, order }: Selection): boolean {
  return order.length > 0 || filters.some(({ test }) => test !== 'equal');
}

/** Reads a whole selection, within the budget of a result and the room that is left for it, as the caller may see it. */
export function readResult(call: Call, selection: Selection, isOneRow = false): Promise<Shown<Table>> {
  const { limits } = call.options.settings;
  const most = mostOfResult(limits);
  const expectsSmall = isOneRow || expectsFew(selection);
  // Computing the result, for example sorting it, may take about twice its memory.
  const [milliseconds, memory] = [limits.resultMilliseconds, 2 * most];
  const wanted =
    call.computing === undefined
      ? {
          most,
          expectsSmall,
          shape: expectsSmall ? shapeOf(call, selection) : '',
          searched: isSearch(selection) ? `${call.domain.hash} ${selection.relation}` : undefined,
        }
      : { most, expectsSmall, by: call.computing };
  return withinRoom(call.lease, wanted, (room) =>
    // At most one spread, and that first: each further one makes V8 copy property by property.
    readSelection(call, selection, { ...room, milliseconds, memory }),
  );
}

/** Reads a whole selection, within the given limits, as the caller may see it. */
export async function readSelection(call: Call, selection: Selection, options: QueryOptions): Promise<Shown<Table>> {
  const { select, engine } = call.options;
  const { query, parameters } = await select(call.domain, selection);
  const { local, shows } = call.reading;
  const now = { ...options, local, shows, compiledFor: call.domain.readModel };
  const asked = call.instant === undefined ? now : { ...now, instant: call.instant };
  return shownTable(await engine.query(query, parameters, asked), call.caller);
}

/** Reads a selection of at most `limit` rows by column, as bytes. */
export async function readColumns(
  call: Call,
  selection: Selection,
  options: QueryOptions,
): Promise<Shown<ColumnBatch>> {
  const { select, engine } = call.options;
  const { query, parameters } = await select(call.domain, selection);
  const batch = await engine.columns(query, parameters, {
    ...options,
    ...call.reading,
    rows: selection.limit ?? 0,
    compiledFor: call.domain.readModel,
  });
  return shownColumns(batch, query.columns, call.caller);
}

/** The number of rows that a read without limit and offset would have, within the time of a result. */
export async function countRows(
  call: Call,
  relation: string,
  restriction: Pick<Selection, 'filters' | 'after' | 'until'>,
): Promise<number> {
  const { filters, after, until } = restriction;
  const selection: Selection = {
    relation,
    columns: 'count',
    filters,
    order: [],
    ...(after === undefined ? {} : { after }),
    ...(until === undefined ? {} : { until }),
  };
  const { rows } = await readResult(call, selection, true);
  return Number(rows[0]?.[0] ?? 0);
}

/**
 * Reads a page, and the number of rows of all pages if that is wanted. The rows decide where the page is the last: something may be written
 * between the two reads.
 */
export async function readCounted(
  call: Call,
  selection: Selection,
  { counted, isOneRow = false }: { readonly counted: boolean; readonly isOneRow?: boolean },
): Promise<{ readonly table: Shown<Table>; readonly total?: number }> {
  if (!counted) return { table: await readResult(call, selection, isOneRow) };
  const { limit = Infinity, offset = 0 } = selection;
  const isPage = limit !== Infinity || offset > 0;
  // First, since the rows stay charged until they are sent.
  const count = isPage ? await countRows(call, selection.relation, selection) : 0;
  const table = await readResult(call, selection, isOneRow);
  const read = table.rows.length;
  const end = read > 0 ? offset + read : 0;
  const isLast = read < limit && (read > 0 || offset === 0);
  return { table, total: isLast ? end : Math.max(count, end) };
}
