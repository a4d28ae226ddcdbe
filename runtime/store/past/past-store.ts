import { fail } from '../../../language/failure/failure.ts';
import type { ReadModelDefinition } from '../../../language/contract/read-model.ts';
import type { ReadModel } from '../read-model/read-model.ts';
import { headQuery } from '../read-model/head-query.ts';
import type { QueryOptions, Store, Turn } from '../store.ts';
import { unreadableIn } from '../unreadable-text.ts';
import { entriesUntil } from './entries-until.ts';
import type { Moment } from './moment.ts';

/** The parts of a store that its past has as well. */
export type PresentStore = Pick<
  Store,
  'kind' | 'location' | 'secret' | 'epoch' | 'read' | 'schema' | 'eventKinds' | 'inspectionTables'
>;

/**
 * A store as it was at a moment, on its own read model. It reads only; `close` gives the read model back. Its kinds of
 * events are those of the present: they only say what the registry may read.
 */
export function createPastStore(
  present: PresentStore,
  model: ReadModel,
  moment: Moment,
  definition: ReadModelDefinition,
  release: () => void,
): Store {
  const { kind, location, secret, epoch, eventKinds, inspectionTables } = present;
  const position = { entry: moment.entry, event: moment.position, at: moment.at };
  const refused = (): Promise<never> =>
    Promise.reject(fail('R0402', { reason: `it is shown as of position ${moment.position}` }));
  const then = ({ answeredBy: _answeredBy, ...options }: QueryOptions = {}): QueryOptions => ({
    instant: moment.at,
    ...options,
  });
  const prepare: Store['prepare'] = (wanted) => {
    if (wanted !== definition) throw new Error('a store of the past keeps its definition');
    return Promise.resolve(() => Promise.resolve());
  };
  const query: Store['query'] = (asked, parameters, options) => model.query(asked, parameters, then(options));
  let isClosed = false;
  return {
    kind,
    location,
    shared: false,
    secret,
    epoch,
    eventKinds,
    inspectionTables,
    knownPosition: () => position,
    head: (...stream) => headOf(definition, query, ...stream),
    freshPosition: () => Promise.resolve(position),
    reach: () => Promise.resolve(),
    lag: () => 0,
    sharing: () => undefined,
    attach: () => undefined,
    refusesReads: () => undefined,
    refusesWrites: () => ({ reason: 'it shows the past', heals: false }),
    delaysReads: () => undefined,
    building: () => undefined,
    tables: () => ({ in: 'memory', bytes: 0, entry: moment.entry }),
    examine: () => Promise.resolve(),
    notes: () => [],
    prepare,
    adopt: async (wanted) => (await prepare(wanted))(),
    exclusively: async (work) => work(turnOf(definition, model, query, moment)),
    query,
    columns: (asked, parameters, options) => model.columns(asked, parameters, { ...then(options), rows: options.rows }),
    read: (from) => entriesUntil(present, moment, from),
    follow: () => {
      throw new Error('the past has no followers');
    },
    putTable: model.putTable,
    putQuery: (table, asked, parameters, options) => model.putQuery(table, asked, parameters, then(options)),
    dropTable: model.dropTable,
    rebuild: refused,
    schema: () => present.schema().filter(({ number }) => number <= moment.entry),
    moment: refused,
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
  query: Store['query'],
  streamType: string,
  streamId: string,
): Promise<number> {
  if (!aggregates.some(({ aggregate }) => aggregate === streamType)) return 0;
  const rows = await query(headQuery(streamType), [streamId]);
  return Number(rows[0]?.[0] ?? 0);
}

function turnOf(definition: ReadModelDefinition, model: ReadModel, query: Store['query'], moment: Moment): Turn {
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
