import type { AggregateDefinition } from '../../contract/relation.ts';
import type { Table } from '../../engine/outcome.ts';
import type { Row } from '../../store/store.ts';
import { eventPages } from '../event-pages.ts';
import { pulled } from '../pulled.ts';
import type { ReadParameters } from '../read-parameters.ts';
import { aggregateOf } from '../registered.ts';
import type { Access, Answer, Call, Route } from '../route.ts';

/** The events of an aggregate in order, and those of one stream. */
export const eventRoutes: readonly Route[] = [
  {
    name: 'events',
    method: 'GET',
    path: '/api/aggregates/{agg}/events',
    summary: 'The events of an aggregate, by global_position',
    rights: ['read:{agg}$Events'],
    answers: 'table',
    statuses: [409],
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
    statuses: [409],
    query: ['page', 'after', 'filters'],
    freshness: 'stream',
    resolve: resolveStream,
  },
];

function resolveAll(call: Call): Access {
  const aggregate = aggregateOf(call.domain, call.path['agg']);
  return {
    filterable: aggregate.eventColumns,
    answer: (parameters) => readEvents(call, aggregate, parameters),
  };
}

function resolveStream(call: Call): Access {
  const aggregate = aggregateOf(call.domain, call.path['agg']);
  const id = call.path['stream_id'] ?? '';
  return {
    seq: () => call.options.head(aggregate.name, id),
    filterable: aggregate.eventColumns,
    answer: (parameters) =>
      readEvents(call, aggregate, {
        ...parameters,
        filters: [{ column: 'stream_id', value: id }, ...parameters.filters],
      }),
  };
}

/**
 * The first pages are read before the answer begins, so that what fails at once still gets its status; an answer that ends with
 * the first is sent whole.
 */
async function readEvents(call: Call, aggregate: AggregateDefinition, parameters: ReadParameters): Promise<Answer> {
  const pages = eventPages(call, aggregate, parameters);
  const first = await pages.next();
  if (first.done === true) throw new Error('the first page of events always comes');
  const second = await pages.next();
  if (second.done === true) return { kind: 'table', table: first.value };
  return { kind: 'batches', columns: first.value.columns, batches: joined([first.value, second.value], pages) };
}

/** The rows of pages that were read already, each let go when it is taken, and of those to come. */
function joined(read: Table[], rest: AsyncIterator<Table>): AsyncIterableIterator<readonly Row[]> {
  return pulled(
    async () => {
      const page = read.shift();
      if (page !== undefined) return page.rows;
      const step = await rest.next();
      return step.done === true ? undefined : step.value.rows;
    },
    async () => {
      await rest.return?.();
    },
  );
}
