import type { Column } from '../../../language/contract/query.ts';
import type { AggregateDefinition } from '../../../language/contract/relation.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { Row } from '../../../runtime/store/store.ts';
import {
  leavesOf,
  readBytes,
  readRows,
  shownColumns,
  withoutPosition,
  withoutPositions,
} from '../answers/event-page-forms.ts';
import { eventPages, type EventRange } from '../answers/event-pages.ts';
import {
  aggregateSource,
  allSource,
  logColumns,
  readableAggregates,
  type EventSource,
} from '../follow/event-source.ts';
import { readLog } from '../follow/log-pages.ts';
import { pulled } from '../../operation/room/pulled.ts';
import { aggregateOf } from '../answers/registered.ts';
import { countRows, named, readResult } from '../answers/selection.ts';
import { takes } from '../parameters/parameter-table.ts';
import type { ReadParameters } from '../parameters/read-parameters.ts';
import type { Access, Answer, Call, Route } from '../pipeline/route.ts';

/** The events of an aggregate in order, and those of one stream. */
export const eventRoutes: readonly Route[] = [
  {
    name: 'all_events',
    method: 'GET',
    path: '/api/events',
    summary: 'The events of all aggregates that the caller may read, by global_position',
    rights: [],
    answers: 'table',
    rows: 'log',
    statuses: [409, 503],
    query: takes.allEvents,
    freshness: 'store',
    resolve: resolveLog,
  },
  {
    name: 'events',
    method: 'GET',
    path: '/api/aggregates/{agg}/events',
    summary: 'The events of an aggregate, by global_position',
    rights: ['read:{agg}$Events'],
    answers: 'table',
    rows: 'events',
    statuses: [409, 503],
    query: takes.events,
    past: 'events',
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
    rows: 'events',
    statuses: [409, 503],
    query: takes.events,
    past: 'events',
    freshness: 'stream',
    resolve: resolveStream,
  },
];

function resolveLog(call: Call): Access {
  const isReader = readableAggregates(call, call.domain).length > 0;
  const source = (parameters: ReadParameters): EventSource => allSource(call, parameters);
  return {
    // Who may read events of some aggregate needs no further right.
    needs: isReader ? [] : ['read:*$Events'],
    columns: logColumns(call.domain),
    follow: source,
    answer: (parameters) => readLog(call, source(parameters), endingNow(call, parameters)),
  };
}

function resolveAll(call: Call): Access {
  const aggregate = aggregateOf(call.domain, call.path['agg']);
  return {
    ...accessTo(call, aggregate, (parameters) => parameters),
    follow: (parameters) => aggregateSource(aggregate.name, parameters, undefined),
  };
}

function resolveStream(call: Call): Access {
  const aggregate = aggregateOf(call.domain, call.path['agg']);
  const id = call.path['stream_id'] ?? '';
  return {
    ...accessTo(call, aggregate, (parameters) => ({
      ...parameters,
      filters: [{ column: 'stream_id', test: 'equal', value: id }, ...parameters.filters],
    })),
    seq: () => call.options.engine.store.head(aggregate.name, id),
    follow: (parameters) => aggregateSource(aggregate.name, parameters, id),
  };
}

function accessTo(
  call: Call,
  aggregate: AggregateDefinition,
  restricted: (parameters: ReadParameters) => ReadParameters,
): Access {
  return {
    columns: aggregate.eventColumns,
    count: async (parameters) => countRows(call, `${aggregate.name}$Events`, endingNow(call, restricted(parameters))),
    answer: async (parameters, { byColumn, counted }) => {
      const range = endingNow(call, restricted(parameters));
      const total = counted ? await countRows(call, `${aggregate.name}$Events`, range) : undefined;
      const answer = await readEvents(call, aggregate, range, byColumn);
      return total === undefined ? answer : { ...answer, total };
    },
  };
}

type Ending = ReadParameters & { readonly until: bigint };

/** Rows and their number are both up to the position that is asked for, or that the store has now. */
function endingNow(call: Call, parameters: ReadParameters): Ending {
  const end = BigInt(call.options.engine.store.knownPosition().event);
  const { until = end } = parameters;
  return { ...parameters, until: until < end ? until : end };
}

/** Events by position are read page by page, however many. Any other order needs all of them, within the budget of a result. */
async function readEvents(
  call: Call,
  aggregate: AggregateDefinition,
  parameters: Ending,
  byColumn: boolean,
): Promise<Answer> {
  const columns = columnsOf(aggregate, parameters.select);
  const [first] = parameters.order;
  if (first !== undefined && first.column !== 'global_position') {
    const { select: _, ...selection } = parameters;
    const names = columns.map(({ name }) => name);
    const rows = readResult(call, { ...selection, relation: `${aggregate.name}$Events`, columns: names });
    return { kind: 'table', table: await named(`aggregate '${aggregate.name}'`, rows) };
  }
  return readPages(call, aggregate, columns, { ...parameters, backwards: first?.direction === 'DESC' }, byColumn);
}

function columnsOf(aggregate: AggregateDefinition, select: readonly string[] | undefined): readonly Column[] {
  if (select === undefined) return shownColumns(aggregate);
  return select.flatMap((name) => aggregate.eventColumns.filter((column) => column.name === name));
}

/**
 * The first pages are read before the answer begins, so that an early failure still gets its status; an answer that ends with the first
 * page is sent whole.
 */
async function readPages(
  call: Call,
  aggregate: AggregateDefinition,
  columns: readonly Column[],
  range: EventRange,
  byColumn: boolean,
): Promise<Answer> {
  const { read, drops } = endingWithPosition(aggregate, columns);
  const leaves = byColumn ? leavesOf(read) : undefined;
  if (leaves !== undefined) {
    const whole = eventPages(call, aggregate, leaves, range, readBytes);
    const pages = drops ? withoutPositions(whole) : whole;
    const first = await takeTwo(pages);
    return { kind: 'columns', columns, batches: joined(first, pages), whole: first.length === 1 };
  }
  const names = read.map(({ name }) => name);
  const whole = eventPages(call, aggregate, names, range, readRows);
  const pages = drops ? withoutPosition(whole) : whole;
  const [first, ...second] = await takeTwo(pages);
  if (first === undefined) throw new Error('the first page of events always comes');
  if (second.length === 0) return { kind: 'table', table: first };
  return { kind: 'batches', columns: first.columns, batches: rowsOf(joined([first, ...second], pages)) };
}

/** Pages continue after the position at the end of their last row; `drops` if the caller did not ask for it there. */
function endingWithPosition(
  aggregate: AggregateDefinition,
  columns: readonly Column[],
): { readonly read: readonly Column[]; readonly drops: boolean } {
  if (columns.at(-1)?.name === 'global_position') return { read: columns, drops: false };
  return { read: [...columns, ...columnsOf(aggregate, ['global_position'])], drops: true };
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
