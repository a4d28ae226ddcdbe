import { Failure } from '../failure/failure.ts';
import { failures } from '../failure/catalogue.ts';
import type { Table } from '../engine/outcome.ts';
import type { Domain } from '../contract/domain.ts';
import type { Column } from '../contract/query.ts';
import { Overtaken, type Row } from '../store/store.ts';
import type { Value } from '../values/type.ts';
import type { AggregateDefinition } from '../contract/relation.ts';
import { pulled } from './pulled.ts';
import type { Selection } from '../contract/selection.ts';
import type { ReadParameters } from './read-parameters.ts';
import type { Call } from './route.ts';
import { readSelection } from './selection.ts';

/** Rows of the first page, small so that an answer begins soon, and of the largest, which is one record batch. */
const firstPage = 1024;
const largestPage = 8192;
/** About what a page's values may hold, so that hundreds of callers who read slowly fit in memory together. */
const pageTarget = 256 * 1024;
/** What a page may take in the store; events may be 256 KiB each, and a page that does not fit is read again, smaller. */
const pageBudget = 8 * 1024 * 1024;

/**
 * An aggregate's events in pages by global position, up to the position of the store at the start. Each page is read when the
 * last was taken and not held beyond that, so that any number of events takes the memory of one page. The first page comes even
 * when it is empty.
 */
export function eventPages(
  call: Call,
  aggregate: AggregateDefinition,
  parameters: ReadParameters,
): AsyncIterableIterator<Table> {
  const until = BigInt(call.options.engine.store.position().event);
  const columns = aggregate.eventColumns.filter((column) => column.hidden !== true).map((column) => column.name);
  let now = call;
  let { after, offset, limit: left } = parameters;
  let size = firstPage;
  let ended = false;
  let begun = false;

  /** Goes on after a change of the registry, as long as that leaves the rows what they are. */
  async function readOn(): Promise<Table> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Overtaken) || !begun) throw error;
      now = { ...call, domain: await call.options.engine.steady() };
      if (!hasColumns(now.domain, aggregate)) throw error;
      return readOn();
    }
  }
  async function read(): Promise<Table> {
    for (;;) {
      const limit = Math.min(size, left ?? size);
      const page = await readPage(now, {
        relation: `${aggregate.name}$Events`,
        columns: [...columns, 'global_position'],
        filters: parameters.filters,
        ...(after === undefined ? {} : { after }),
        ...(offset === undefined ? {} : { offset }),
        until,
        limit,
        order: 'global_position',
      });
      if (page !== undefined) {
        advance(page, limit);
        return page;
      }
      size = Math.max(1, Math.floor(limit / 4));
    }
  }
  function advance(page: Table, limit: number): void {
    begun = true;
    if (left !== undefined) left -= page.rows.length;
    ended = page.rows.length < limit || left === 0;
    if (ended) return;
    after = page.rows.at(-1)?.at(-1) as bigint;
    offset = undefined;
    const fitting = Math.floor(pageTarget / rowBytes(page.rows));
    size = Math.max(1, Math.min(fitting, size * 2, largestPage));
  }

  return pulled(
    async () => (ended ? undefined : readOn()),
    () => undefined,
  );
}

/** Whether the aggregate's rows still have all that they had, as it was; payloads may have gained fields. */
function hasColumns(domain: Domain, { name, eventColumns }: AggregateDefinition): boolean {
  const found = domain.aggregates.find((candidate) => candidate.name === name);
  const now = new Set(found?.eventColumns.flatMap(partsOf));
  return eventColumns.flatMap(partsOf).every((part) => now.has(part));
}

function partsOf({ type, ...column }: Column): readonly string[] {
  if (type.kind !== 'STRUCT') return [JSON.stringify([column, type])];
  return type.fields.map((field) => JSON.stringify([column, field]));
}

/** Undefined where the page went past its budget; one event alone always fits. */
async function readPage(call: Call, selection: Selection): Promise<Table | undefined> {
  if (selection.limit === 1) return readSelection(call, selection);
  try {
    return await readSelection(call, selection, { bytes: pageBudget });
  } catch (error) {
    if (error instanceof Failure && failures[error.code].kind === 'budget') return undefined;
    throw error;
  }
}

/** Roughly what a row holds, by a few rows of many: texts by their length and all else by a word. */
function rowBytes(rows: readonly Row[]): number {
  const step = Math.ceil(rows.length / 32);
  let looked = 0;
  let bytes = 0;
  for (let at = 0; at < rows.length; at += step) {
    looked++;
    bytes += heldBytes(rows[at] ?? []);
  }
  return bytes / looked;
}

function heldBytes(value: Value): number {
  if (typeof value === 'string') return 8 + value.length;
  const parts = Array.isArray(value)
    ? (value as readonly Value[])
    : value instanceof Map
      ? (value as ReadonlyMap<string, Value>).values()
      : [];
  let bytes = 8;
  for (const part of parts) bytes += heldBytes(part);
  return bytes;
}
