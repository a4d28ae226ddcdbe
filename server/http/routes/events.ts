import type { AggregateDefinition } from '../../../language/contract/relation.ts';
import { readEvents } from '../../operation/read/events.ts';
import { countRows, visibleStreams } from '../../operation/read/read.ts';
import {
  aggregateSource,
  allSource,
  logColumns,
  readableAggregates,
  type EventSource,
} from '../../operation/follow/source.ts';
import { readLog } from '../../operation/follow/log-pages.ts';
import { Problem } from '../wire/problem.ts';
import { aggregateOf } from '../answers/registered.ts';
import { takes } from '../parameters/parameter-table.ts';
import type { ReadParameters } from '../parameters/read-parameters.ts';
import type { Access, Call, Route } from '../route.ts';

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
  const isReader = readableAggregates(call.caller, call.domain).length > 0;
  const source = (parameters: ReadParameters): EventSource => allSource(call.caller, parameters);
  return {
    // A caller that may read events of some aggregate needs no further right.
    needs: isReader ? [] : ['read:*$Events'],
    columns: logColumns(call.domain),
    shows: readableAggregates(call.caller, call.domain).map(({ name }) => `${name}$Events`),
    follow: source,
    answer: (parameters) => {
      if (parameters.select?.includes('global_position') === false)
        throw new Problem('H4003', 'select needs the column global_position here, by which the events are ordered');
      return readLog(call, source(parameters), endingNow(call, parameters));
    },
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
    seq: async () => {
      const { engine } = call.options;
      const isVisible = (await visibleStreams(call, aggregate.name, [id])).has(id);
      return isVisible ? engine.store.turns.head(aggregate.name, id) : 0;
    },
    follow: (parameters) => aggregateSource(aggregate.name, parameters, id),
  };
}

function accessTo(
  call: Call,
  aggregate: AggregateDefinition,
  restricted: (parameters: ReadParameters) => ReadParameters,
): Access {
  const count = (range: Ending): Promise<number> =>
    countRows(call, { ...range, relation: `${aggregate.name}$Events`, columns: 'count' });
  return {
    columns: aggregate.eventColumns,
    shows: [`${aggregate.name}$Events`],
    count: async (parameters) => count(endingNow(call, restricted(parameters))),
    answer: async (parameters, { byColumn, counted }) => {
      const range = endingNow(call, restricted(parameters));
      const total = counted ? await count(range) : undefined;
      const answer = await readEvents(call, aggregate, range, byColumn);
      return total === undefined ? answer : { ...answer, total };
    },
  };
}

type Ending = ReadParameters & { readonly until: bigint };

/** Rows and their number are both up to the position that is asked for, or that the store has now. */
function endingNow(call: Call, parameters: ReadParameters): Ending {
  const end = BigInt(call.options.engine.store.turns.position().event);
  const { until = end } = parameters;
  return { ...parameters, until: until < end ? until : end };
}
