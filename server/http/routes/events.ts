import type { AggregateDefinition } from '../../../language/contract/relation.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { Row } from '../../../runtime/store/store.ts';
import { leavesOf, readBytes, readRows, shownColumns } from '../answers/event-page-forms.ts';
import { eventPages } from '../answers/event-pages.ts';
import { pulled } from '../answers/pulled.ts';
import type { ReadParameters } from '../request/read-parameters.ts';
import { aggregateOf } from '../answers/registered.ts';
import type { Access, Answer, Call, Route } from '../pipeline/route.ts';

/** The events of an aggregate in order, and those of one stream. */
export const eventRoutes: readonly Route[] = [
  {
    name: 'events',
    method: 'GET',
    path: '/api/aggregates/{agg}/events',
    summary: 'The events of an aggregate, by global_position',
    rights: ['read:{agg}$Events'],
    answers: 'table',
    statuses: [409, 503],
    query: ['page', 'after', 'filters'],
    freshness: 'store',
    resolve: resolveAll,
  },
  {
    name: 'stream_events',
    method: 'GET',
    path: '/api/aggregates/{agg}/events/{stream_id}',
    summary: 'The events of one stream, by global_position',
    rights: ['read:{agg}$Events'],
    answers: 'table',
    statuses: [409, 503],
    query: ['page', 'after', 'filters'],
    freshness: 'stream',
    resolve: resolveStream,
  },
];

function resolveAll(call: Call): Access {
  const aggregate = aggregateOf(call.domain, call.path['agg']);
  return {
    filterable: aggregate.eventColumns,
    answer: (parameters, byColumn) => readEvents(call, aggregate, parameters, byColumn),
  };
}

function resolveStream(call: Call): Access {
  const aggregate = aggregateOf(call.domain, call.path['agg']);
  const id = call.path['stream_id'] ?? '';
  return {
    seq: () => call.options.head(aggregate.name, id),
    filterable: aggregate.eventColumns,
    answer: (parameters, byColumn) => {
      const filters = [{ column: 'stream_id', value: id }, ...parameters.filters];
      return readEvents(call, aggregate, { ...parameters, filters }, byColumn);
    },
  };
}

/**
 * The first pages are read before the answer begins, so that an early failure still gets its status; an answer that ends with the first
 * page is sent whole.
 */
async function readEvents(
  call: Call,
  aggregate: AggregateDefinition,
  parameters: ReadParameters,
  byColumn: boolean,
): Promise<Answer> {
  const columns = shownColumns(aggregate);
  const leaves = byColumn ? leavesOf(columns) : undefined;
  if (leaves !== undefined) {
    const pages = eventPages(call, aggregate, leaves, parameters, readBytes);
    const first = await takeTwo(pages);
    return { kind: 'columns', columns, batches: joined(first, pages), whole: first.length === 1 };
  }
  const names = columns.map(({ name }) => name);
  const pages = eventPages(call, aggregate, names, parameters, readRows);
  const [first, ...second] = await takeTwo(pages);
  if (first === undefined) throw new Error('the first page of events always comes');
  if (second.length === 0) return { kind: 'table', table: first };
  return { kind: 'batches', columns: first.columns, batches: rowsOf(joined([first, ...second], pages)) };
}

async function takeTwo<T>(pages: AsyncIterator<T>): Promise<T[]> {
  const first = await pages.next();
  if (first.done === true) return [];
  const second = await pages.next();
  return second.done === true ? [first.value] : [first.value, second.value];
}

/** Pages already read, each released when it is taken, and those to come. */
function joined<T extends object>(read: T[], rest: AsyncIterator<T>): AsyncIterableIterator<T> {
  return pulled(
    async () => {
      const page = read.shift();
      if (page !== undefined) return page;
      const step = await rest.next();
      return step.done === true ? undefined : step.value;
    },
    async () => {
      await rest.return?.();
    },
  );
}

function rowsOf(tables: AsyncIterator<Table>): AsyncIterableIterator<readonly Row[]> {
  return pulled(
    async () => {
      const step = await tables.next();
      return step.done === true ? undefined : step.value.rows;
    },
    async () => {
      await tables.return?.();
    },
  );
}
