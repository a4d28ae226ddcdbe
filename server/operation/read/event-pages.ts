import { Failure } from '../../../language/failure/failure.ts';
import { failures } from '../../../language/failure/catalogue.ts';
import type { Engine } from '../../../runtime/engine/engine.ts';
import { nextDomain } from '../again.ts';
import { GivenBack, type QueryOptions } from '../../../runtime/store/store.ts';
import type { AggregateDefinition } from '../../../language/contract/relation.ts';
import type { Selection } from '../../../language/contract/selection.ts';
import { ownTurn } from '../room/loop-turns.ts';
import { pulled } from '../room/pulled.ts';
import { slowMilliseconds } from '../room/quick-reads.ts';
import { isSearch } from './read.ts';
import type { Reader } from './reader.ts';
import { showsTheSame } from './shows-the-same.ts';

/** Rows of the first page, small so that an answer begins soon, and of the largest, which is one record batch. */
const firstPage = 1024;
const largestPage = 8192;
/** Approximate bytes of a page's values, of the second page's, and of all streams together, so that hundreds of slow callers fit in memory. */
const pageTarget = 512 * 1024;
const secondTarget = 256 * 1024;
const sharedTarget = 8 * 1024 * 1024;
/** With this many streams a first page is small as well. */
const crowd = 16;
/** A page is read ahead if the caller took the last one within this many milliseconds, as long as few others read. */
const soon = 100;
const few = 4;
/** Bytes that a page may take in the store, less for the first. Events may be 256 KiB each; a page that does not fit is read again, smaller. */
const pageBudget = 1024 * 1024;
const firstBudget = 512 * 1024;

/** The registry that pages are read by, which is in force or a previous one, and the database that answers. */
interface Reading extends Pick<QueryOptions, 'answeredBy' | 'patience'> {
  readonly reader: Reader;
}

/** Some rows of an aggregate's events, in one of the two forms. */
export interface Page<T> {
  readonly content: T;
  readonly rows: number;
  /** Global position of the last row, if there is one. */
  readonly last: bigint;
  /** Approximate bytes of its values. */
  readonly bytes: number;
}

/** Reads the events of a selection; past the budget it fails as any read does. */
export type ReadPage<T> = (
  reader: Reader,
  selection: Selection,
  options: Pick<QueryOptions, 'bytes' | 'answeredBy' | 'patience'>,
) => Promise<Page<T>>;

/** Which events are read: by these parameters, up to the position that the store had at the start. */
export interface EventRange extends Pick<Selection, 'filters' | 'after' | 'limit' | 'offset'> {
  readonly until: bigint;
  /** From the newest to the oldest. */
  readonly backwards: boolean;
}

/**
 * An aggregate's events in pages by global position, in either direction. Each page is read when the caller has
 * taken the last one, and is not held longer, so that any number of events takes the memory of one page. Only for a caller that keeps up is
 * the next page read ahead. The first page comes even if it is empty. The columns stay those of the first page, whatever happens to the
 * registry (docs/http.md#long-answers).
 */
export function eventPages<T extends object>(
  reader: Reader,
  aggregate: AggregateDefinition,
  columns: readonly string[],
  range: EventRange,
  readPage: ReadPage<T>,
): AsyncIterableIterator<T> {
  let now: Reading = isSearch({ ...range, order: [] }) ? { reader, patience: slowMilliseconds } : { reader };
  let { after, until, offset, limit: left } = range;
  const order: Selection['order'] = range.backwards
    ? [{ column: 'global_position', direction: 'DESC', nulls: 'FIRST' }]
    : [];
  const reading = streamsOf(reader.options.engine);
  const stream = {};
  let size = reading.size < crowd ? firstPage : firstPage / 8;
  /** Number of pages requested so far. */
  let pages = 0;
  let ended = false;
  let begun = false;
  /** Bytes of the previous page, which may still be on its way. */
  let before = 0;

  /**
   * Continues on the copy if a search takes long, and after a change of the registry: by the new one if it leaves the rows unchanged, else by the
   * registry that the answer began with.
   */
  async function readOn(): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof GivenBack) {
        reader.lease.holds(before); // its place at the read model is free before it takes one at the copy
        now = { reader: now.reader, answeredBy: 'copy' };
        return readOn();
      }
      if (!begun) throw error;
      const { engine } = reader.options;
      const domain = await nextDomain(engine, error);
      const same = showsTheSame(reader.domain, domain, aggregate.name, await engine.store.log.eventKinds());
      now = same ? { ...now, reader: { ...reader, domain } } : { reader, answeredBy: 'past' };
      return readOn();
    }
  }
  async function read(): Promise<T> {
    // A stream that has begun would have to be cut, so it waits for room until other answers are sent.
    const by = now.answeredBy === undefined ? 'read model' : 'copy';
    await reader.lease.forPart(before + (begun ? pageBudget : firstBudget), { by, patient: begun });
    for (;;) {
      const limit = Math.min(size, left ?? size);
      const page = await fitting(readPage, now, begun ? pageBudget : firstBudget, {
        relation: `${aggregate.name}$Events`,
        columns,
        filters: range.filters,
        ...(after === undefined ? {} : { after }),
        ...(offset === undefined ? {} : { offset }),
        until,
        limit,
        order,
      });
      if (page !== undefined) {
        reader.lease.holds(before + page.bytes);
        before = page.bytes;
        advance(page, limit);
        return page.content;
      }
      size = Math.max(1, Math.floor(limit / 4));
    }
  }
  function advance(page: Page<T>, limit: number): void {
    begun = true;
    if (left !== undefined) left -= page.rows;
    ended = page.rows < limit || left === 0;
    if (ended) return;
    if (range.backwards) until = page.last - 1n;
    else after = page.last;
    offset = undefined;
    const own = pages > 1 ? pageTarget : secondTarget;
    const target = Math.min(own, sharedTarget / Math.max(1, reading.size));
    const rowsThatFit = Math.max(1, target / (page.bytes / page.rows));
    // A power of two: rows of about the same size make pages of the same size, which use the same prepared statement.
    size = Math.min(2 ** Math.floor(Math.log2(rowsThatFit)), size * 2, largestPage);
  }

  const leave = (): void => {
    reading.delete(stream);
    ahead = undefined;
    reader.lease.holds(0);
  };
  const { monotonic } = reader.options.time;
  let given = 0;
  let ahead: Promise<T> | undefined;
  return pulled(async () => {
    if (ended && ahead === undefined) {
      leave();
      return undefined;
    }
    // A caller that takes a third page reads a stream, which is closed when the caller stops; the first two are read for the answer's head.
    const isStream = ++pages > 2;
    if (isStream) reading.add(stream);
    const keepsUp = isStream && monotonic() - given < soon && reading.size <= few;
    try {
      const page = await (ahead ?? readOn());
      await ownTurn();
      ahead = undefined;
      if (keepsUp && !ended && reading.has(stream)) {
        ahead = readOn();
        ahead.catch(() => undefined); // reported to the reader of the page
      }
      given = monotonic();
      return page;
    } catch (error) {
      leave();
      throw error;
    }
  }, leave);
}

const streams = new WeakMap<Engine, Set<object>>();

/** The streams of events that are being read from an engine. */
function streamsOf(engine: Engine): Set<object> {
  const known = streams.get(engine) ?? new Set();
  streams.set(engine, known);
  return known;
}

/** Undefined if the page went past its budget; one event alone always fits. */
async function fitting<T>(
  readPage: ReadPage<T>,
  { reader, ...reading }: Reading,
  bytes: number,
  selection: Selection,
): Promise<Page<T> | undefined> {
  if (selection.limit === 1) return readPage(reader, selection, reading);
  try {
    return await readPage(reader, selection, { bytes, ...reading });
  } catch (error) {
    if (error instanceof Failure && failures[error.code].kind === 'budget') return undefined;
    throw error;
  }
}
