import { fail } from '../../../language/failure/failure.ts';
import type { CompiledQuery } from '../../../language/contract/query.ts';
import type { ReadModelDefinition } from '../../../language/contract/read-model.ts';
import type { Moment } from '../journal/moment.ts';
import type { Query, QueryOptions } from '../query.ts';
import type { Store } from '../store.ts';
import { quoted } from '../tables/core/engine.ts';
import { eventTable } from '../tables/core/tables.ts';
import type { ReadModel } from '../tables/read-model.ts';
import type { Turn } from '../turns/turn.ts';
import { unreadableIn } from '../unreadable-text.ts';
import { entriesUntil } from './entries-until.ts';

/** The parts of a store that its past has as well. */
export type PresentStore = Pick<Store, 'kind' | 'location' | 'secret' | 'epoch' | 'log' | 'inspectionTables'>;

/**
 * A store as it was at a moment, on its own read model. It reads only; `close` gives the read model back. Its kinds of
 * events are those of the present: they only say what the registry may read.
 */
export function createPastStore(
  { kind, location, secret, epoch, log, inspectionTables }: PresentStore,
  model: ReadModel,
  moment: Moment,
  definition: ReadModelDefinition,
  release: () => void,
): Store {
  const position = { entry: moment.entry, event: moment.position, at: moment.at };
  const refused = (): Promise<never> =>
    Promise.reject(fail('R0402', { reason: `it is shown as of position ${moment.position}` }));
  const then = ({ answeredBy: _answeredBy, ...options }: QueryOptions = {}): QueryOptions => ({
    instant: moment.at,
    ...options,
  });
  const prepare: ReadModel['prepare'] = (wanted) => {
    if (wanted !== definition) throw new Error('a store of the past keeps its definition');
    return Promise.resolve(() => Promise.resolve());
  };
  const query: Query = (asked, parameters, options) => model.query(asked, parameters, then(options));
  let isClosed = false;
  return {
    kind,
    location,
    shared: false,
    secret,
    epoch,
    inspectionTables,
    log: {
      eventKinds: log.eventKinds,
      read: (from) => entriesUntil(log, moment, from),
      follow: () => {
        throw new Error('the past has no followers');
      },
      schema: () => log.schema().filter(({ number }) => number <= moment.entry),
      moment: refused,
      look: () => Promise.resolve(),
    },
    turns: {
      exclusively: async (work) => work(turnOf(definition, model, query, moment)),
      position: () => position,
      head: (...stream) => headOf(definition, query, ...stream),
      fresh: () => Promise.resolve(position),
      reach: () => Promise.resolve(),
      lag: () => 0,
      sharing: () => undefined,
      attach: () => undefined,
      refusesReads: () => undefined,
      refusesWrites: () => ({ reason: 'it shows the past', heals: false }),
    },
    tables: {
      ...model,
      in: 'memory',
      prepare,
      adopt: async (wanted) => (await prepare(wanted))(),
      query,
      columns: (asked, parameters, options) => model.columns(asked, parameters, then(options)),
      putQuery: (table, asked, parameters, options) => model.putQuery(table, asked, parameters, then(options)),
      rebuild: refused,
    },
    notes: () => [],
    past: refused,
    close: () => {
      if (!isClosed) release();
      isClosed = true;
      return Promise.resolve();
    },
  };
}

async function headOf(
  { aggregates }: ReadModelDefinition,
  query: Query,
  streamType: string,
  streamId: string,
): Promise<number> {
  if (!aggregates.some(({ aggregate }) => aggregate === streamType)) return 0;
  const rows = await query(headQuery(streamType), [streamId]);
  return Number(rows[0]?.[0] ?? 0);
}

/** The seq of a stream's last event, by its id; NULL when it has none. */
function headQuery(aggregate: string): CompiledQuery {
  return {
    parameters: [{ name: 'stream_id', type: { kind: 'STRING' } }],
    columns: [{ name: 'head', type: { kind: 'BIGINT' }, nullable: true, sensitive: false }],
    reads: [`${aggregate}$Events`],
    sqlite: { sql: `SELECT MAX(seq) AS c0 FROM ${quoted(eventTable(aggregate))} WHERE stream_id = ?1` },
  };
}

function turnOf(definition: ReadModelDefinition, model: ReadModel, query: Query, moment: Moment): Turn {
  return {
    lastEntry: () => moment.entry,
    ahead: () => [],
    schemaEntries: () => 0,
    head: (...stream) => headOf(definition, query, ...stream),
    recorded: () => undefined,
    query,
    unreadable: (...stream) => unreadableIn(model.state().unreadable, ...stream),
    nextPosition: () => moment.position + 1,
    size: () => 0,
    append: () => {
      throw fail('R0402', { reason: `it is shown as of position ${moment.position}` });
    },
  };
}
