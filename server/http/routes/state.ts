import type { AggregateDefinition } from '../../../language/contract/relation.ts';
import { filteredBy } from '../../operation/asker.ts';
import { visibleStreams } from '../../operation/read/read.ts';
import { Problem } from '../wire/problem.ts';
import { aggregateOf } from '../answers/registered.ts';
import { relationAccess } from './relation-access.ts';
import { takes } from '../parameters/parameter-table.ts';
import type { Access, Call, Route } from '../route.ts';
import { quoted } from '../request/quoted.ts';

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
    rows: 'state',
    statuses: [404, 409, 503],
    query: takes.oneState,
    past: 'stream',
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
    rows: 'state',
    statuses: [409, 503],
    query: takes.rows,
    past: 'relation',
    freshness: 'store',
    resolve: (call) => accessTo(call, aggregateOf(call.domain, call.path['agg'])),
  };
}

function resolveStream(call: Call): Access {
  const aggregate = aggregateOf(call.domain, call.path['agg']);
  const id = call.path['id'] ?? '';
  const access = accessTo(call, aggregate, id);
  const missing = (): Problem => new Problem('H4042', `aggregate '${aggregate.name}' has no stream ${quoted(id)}`);
  const head = async (): Promise<number> => call.options.engine.store.turns.head(aggregate.name, id);
  const seq = async (): Promise<number> => {
    const last = await head();
    if (last === 0) throw missing();
    return last;
  };
  if (filteredBy(call.domain, `${aggregate.name}$Agg`, call.caller) === undefined) return { ...access, seq };
  const isSeen = async (): Promise<boolean> => (await visibleStreams(call, aggregate.name, [id])).has(id);
  return {
    ...access,
    // Without a copy of the caller the answer itself finds out whether there is a row.
    seq: async () => {
      const hasCopy = call.header('if-none-match') !== undefined;
      if (hasCopy && !(await isSeen())) throw missing();
      // A stream that was never written takes as long as one that is not seen.
      return call.moment === undefined ? head() : seq();
    },
    answer: async (...asked) => {
      const answer = await access.answer(...asked);
      // A filter or a limit may leave out the row of a stream that the caller sees.
      const isEmpty = call.moment === undefined && answer.kind === 'table' && answer.table.rows.length === 0;
      if (isEmpty && !(await isSeen())) throw missing();
      return answer;
    },
  };
}

function accessTo(call: Call, aggregate: AggregateDefinition, stream?: string): Access {
  return relationAccess(call, {
    relation: `${aggregate.name}$Agg`,
    columns: aggregate.stateColumns,
    what: `aggregate '${aggregate.name}'`,
    usesTime: aggregate.all.usesTime === true,
    ...(stream === undefined ? {} : { stream }),
  });
}
