import type { AggregateDefinition } from '../../../language/contract/relation.ts';
import type { Selection } from '../../../language/contract/selection.ts';
import { Problem } from '../answers/problem.ts';
import { quoted } from '../request/quoted.ts';
import type { ReadParameters } from '../request/read-parameters.ts';
import { aggregateOf } from '../answers/registered.ts';
import type { Access, Answer, Call, Route } from '../pipeline/route.ts';
import { named, readResult } from '../answers/selection.ts';

/** The states of an aggregate's streams, and of one of them. */
export const stateRoutes: readonly Route[] = [
  all('aggregate', '/api/aggregates/{agg}'),
  all('state', '/api/aggregates/{agg}/state'),
  {
    name: 'stream_state',
    method: 'GET',
    path: '/api/aggregates/{agg}/{id}',
    summary: 'The state of one stream',
    rights: ['read:{agg}$Agg'],
    answers: 'table',
    statuses: [404, 409, 503],
    query: ['page', 'filters'],
    freshness: 'stream',
    resolve: resolveStream,
  },
];

function all(name: string, path: string): Route {
  return {
    name,
    method: 'GET',
    path,
    summary: 'The state of every stream of an aggregate, by aggregate_id',
    rights: ['read:{agg}$Agg'],
    answers: 'table',
    statuses: [409, 503],
    query: ['page', 'filters'],
    freshness: 'store',
    resolve: (call) => {
      const aggregate = aggregateOf(call.domain, call.path['agg']);
      return {
        filterable: aggregate.stateColumns,
        usesTime: aggregate.all.usesTime === true,
        answer: (parameters) => readState(call, aggregate, parameters),
      };
    },
  };
}

function resolveStream(call: Call): Access {
  const aggregate = aggregateOf(call.domain, call.path['agg']);
  const id = call.path['id'] ?? '';
  return {
    filterable: aggregate.stateColumns,
    usesTime: aggregate.all.usesTime === true,
    seq: async () => {
      const seq = await call.options.head(aggregate.name, id);
      if (seq === 0) throw new Problem(404, `aggregate '${aggregate.name}' has no stream ${quoted(id)}`);
      return seq;
    },
    answer: (parameters) => {
      const filters = [{ column: 'aggregate_id', value: id }, ...parameters.filters];
      return readState(call, aggregate, { ...parameters, filters }, true);
    },
  };
}

async function readState(
  call: Call,
  aggregate: AggregateDefinition,
  parameters: ReadParameters,
  ofOneStream = false,
): Promise<Answer> {
  const selection: Selection = {
    ...parameters,
    relation: `${aggregate.name}$Agg`,
    columns: aggregate.stateColumns.filter((column) => column.hidden !== true).map((column) => column.name),
    order: 'aggregate_id',
  };
  const rows = readResult(call, selection, ofOneStream);
  return { kind: 'table', table: await named(`aggregate '${aggregate.name}'`, rows) };
}
