import { Failure } from '../failure/failure.ts';
import { failures } from '../failure/catalogue.ts';
import type { Table } from '../engine/outcome.ts';
import type { AggregateDefinition } from '../contract/relation.ts';
import type { Selection } from './options.ts';
import type { ReadParameters } from './read-parameters.ts';
import type { Call } from './route.ts';
import { readSelection } from './selection.ts';

/** Rows of the first page, small so that an answer begins soon, and of the largest, which is one record batch. */
const firstPage = 1024;
const largestPage = 8192;
/** What a page may take in memory; events may be 256 KiB each, so a page that does not fit is read again, smaller. */
const pageBytes = 32 * 1024 * 1024;

/**
 * An aggregate's events in pages by global position, up to the position of the store at the start. Each page is read when the
 * last was taken, so that any number of events takes the memory of one page. The first page comes even when it is empty.
 */
export async function* eventPages(
  call: Call,
  aggregate: AggregateDefinition,
  parameters: ReadParameters,
): AsyncGenerator<Table, void, undefined> {
  const until = BigInt(call.options.engine.store.position().event);
  const columns = aggregate.eventColumns.filter((column) => column.hidden !== true).map((column) => column.name);
  let { after, offset, limit: left } = parameters;
  let size = firstPage;
  let most = largestPage;
  for (;;) {
    const limit = Math.min(size, left ?? size);
    const selection: Selection = {
      relation: `${aggregate.name}$Events`,
      columns: [...columns, 'global_position'],
      filters: parameters.filters,
      ...(after === undefined ? {} : { after }),
      ...(offset === undefined ? {} : { offset }),
      until,
      limit,
      order: 'global_position',
    };
    // One event alone always fits.
    const page =
      limit > 1
        ? await fitting(readSelection(call, selection, { bytes: pageBytes }))
        : await readSelection(call, selection);
    if (page === undefined) {
      most = size = Math.max(1, Math.floor(limit / 4));
      continue;
    }
    yield page;
    if (left !== undefined) left -= page.rows.length;
    if (page.rows.length < limit || left === 0) return;
    after = page.rows.at(-1)?.at(-1) as bigint;
    offset = undefined;
    size = Math.min(most, size * 2);
  }
}

/** Undefined where the page went past its budget. */
async function fitting(page: Promise<Table>): Promise<Table | undefined> {
  try {
    return await page;
  } catch (error) {
    if (error instanceof Failure && failures[error.code].kind === 'budget') return undefined;
    throw error;
  }
}
