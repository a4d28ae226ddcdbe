import type { ColumnBatch } from '../../../language/contract/column-bytes.ts';
import type { Selection } from '../../../language/contract/selection.ts';
import { Failure } from '../../../language/failure/failure.ts';
import type { Soon } from '../../../language/failure/soon.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { QueryOptions } from '../../../runtime/store/store.ts';
import type { CompiledSelection } from '../bind/select-relation.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import type { Engine } from '../../../runtime/engine/engine.ts';
import { hidesRows, readBy, seesWhole, type Asker } from '../asker.ts';
import { setsNow } from '../bind/sets-now.ts';
import { chooseStreams } from '../bind/visible-streams.ts';
import { mostOfResult } from '../room/held-results.ts';
import { withinRoom } from '../room/within-room.ts';
import { shownColumns, shownTable, type Shown } from '../shown.ts';
import { preparedSelection } from './prepared-selection.ts';
import type { Reader } from './reader.ts';

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
function shapeOf({ domain }: Reader, { relation, filters, order, columns }: Selection): string {
  let shape = `${domain.hash} ${relation} ${columns === 'count' ? columns : ''}`;
  for (const { column, test } of filters) shape += ` ${column} ${test}`;
  for (const { column } of order) shape += ` by ${column}`;
  return shape;
}

/** With a filter that is no equality, or an order, every row may have to be looked at. */
export function isSearch({ filters, order }: Pick<Selection, 'filters' | 'order'>): boolean {
  return order.length > 0 || filters.some(({ test }) => test !== 'equal');
}

/** Reads a whole selection, within the budget of a result and the room that is left for it, as the caller may see it. */
export function readResult(reader: Reader, selection: Selection, isOneRow = false): Promise<Shown<Table>> {
  const { domain, computing: by } = reader;
  const { limits } = reader.options.settings;
  const most = mostOfResult(limits);
  const expectsSmall = isOneRow || expectsFew(selection);
  // Computing the result, for example sorting it, may take about twice its memory.
  const [milliseconds, memory] = [limits.resultMilliseconds, 2 * most];
  const wanted =
    by === undefined
      ? {
          most,
          expectsSmall,
          shape: expectsSmall ? shapeOf(reader, selection) : '',
          searched: isSearch(selection) ? `${domain.hash} ${selection.relation}` : undefined,
        }
      : { most, expectsSmall, by };
  return withinRoom(reader.lease, wanted, (room) =>
    // At most one spread, and that first: each further one makes V8 copy property by property.
    readSelection(reader, selection, { ...room, milliseconds, memory }),
  );
}

/**
 * The query of a selection: at once if the build compiled it, else from a part of the program that is loaded late. It has the rows that the caller may
 * see.
 */
function compiled({ options, domain, caller, present }: Reader, selection: Selection): Soon<CompiledSelection> {
  const asker = readBy(domain, selection.relation, caller);
  const query = asker === undefined ? preparedSelection(domain, selection) : undefined;
  if (query !== undefined) return { query, parameters: [] };
  if (asker === undefined || present === undefined)
    return options.late().then(({ select }) => select(domain, selection, asker));
  return compiledThen(present, options.late, domain, selection, asker);
}

async function compiledThen(
  present: Engine,
  late: Reader['options']['late'],
  domain: Domain,
  selection: Selection,
  asker: Asker,
): Promise<CompiledSelection> {
  const { selectThen } = await late();
  const { query, sets, parametersWith } = await selectThen(domain, selection, asker);
  const compiledFor = domain.readModel;
  const values = await setsNow(sets, (asked, parameters, limits) =>
    present.query(asked, parameters, { ...limits, compiledFor }),
  );
  return { query, parameters: parametersWith(values) };
}

/** Reads a whole selection, within the given limits, as the caller may see it. */
export async function readSelection(
  reader: Reader,
  selection: Selection,
  options: QueryOptions,
): Promise<Shown<Table>> {
  const { query, parameters } = await compiled(reader, selection);
  const { local, shows } = reader.reading;
  const now = { ...options, local, shows, compiledFor: reader.domain.readModel };
  const asked = reader.instant === undefined ? now : { ...now, instant: reader.instant };
  return shownTable(await reader.options.engine.query(query, parameters, asked), reader.caller);
}

/** Reads a selection of at most `limit` rows by column, as bytes. */
export async function readColumns(
  reader: Reader,
  selection: Selection,
  options: QueryOptions,
): Promise<Shown<ColumnBatch>> {
  const { query, parameters } = await compiled(reader, selection);
  const batch = await reader.options.engine.columns(query, parameters, {
    ...options,
    ...reader.reading,
    rows: selection.limit ?? 0,
    compiledFor: reader.domain.readModel,
  });
  return shownColumns(batch, query.columns, reader.caller);
}

/** Chooses the streams of an aggregate that the caller may see; all of them if nothing hides one. */
export async function visibleStreams(
  reader: Reader,
  aggregate: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (seesWhole(reader.domain, `${aggregate}$Agg`, reader.caller)) return new Set(ids);
  return chooseStreams(aggregate, ids, async (selection) => (await readSelection(reader, selection, {})).rows);
}

/** Chooses among streams as `visibleStreams` does; undefined for a caller from whom no relation hides any. */
export function streamsSeen(
  reader: Reader,
): ((aggregate: string, ids: readonly string[]) => Promise<ReadonlySet<string>>) | undefined {
  if (!hidesRows(reader.domain, reader.caller)) return undefined;
  return (aggregate, ids) => visibleStreams(reader, aggregate, ids);
}

/** The number of rows that a read without limit and offset would have, within the time of a result. */
export async function countRows(reader: Reader, { limit: _, offset: __, ...all }: Selection): Promise<number> {
  const { rows } = await readResult(reader, { ...all, columns: 'count', order: [] }, true);
  return Number(rows[0]?.[0] ?? 0);
}

/**
 * Reads a page, and the number of rows of all pages if that is wanted. The rows decide where the page is the last: something may be written
 * between the two reads.
 */
export async function readCounted(
  reader: Reader,
  selection: Selection,
  { counted, isOneRow = false }: { readonly counted: boolean; readonly isOneRow?: boolean },
): Promise<{ readonly table: Shown<Table>; readonly total?: number }> {
  if (!counted) return { table: await readResult(reader, selection, isOneRow) };
  const { limit = Infinity, offset = 0 } = selection;
  const isPage = limit !== Infinity || offset > 0;
  // First, since the rows stay charged until they are sent.
  const count = isPage ? await countRows(reader, selection) : 0;
  const table = await readResult(reader, selection, isOneRow);
  const read = table.rows.length;
  const end = read > 0 ? offset + read : 0;
  const isLast = read < limit && (read > 0 || offset === 0);
  return { table, total: isLast ? end : Math.max(count, end) };
}
