/**
 * The read model as the store sees it: adopts registries, follows the durable log, answers queries on the durable state or on that of
 * a turn. Whatever holds it (this thread or a worker) can die at any time: a fresh one loads the newest snapshot, is fed the tail
 * from the log, and the questions that are open are asked again. Commands go on meanwhile; nothing here is the truth.
 */
import type { Column, CompiledQuery } from '../../contract/query.ts';
import type { ReadModelDefinition } from '../../contract/read-model.ts';
import { Failure } from '../../failure/failure.ts';
import type { Value } from '../../values/type.ts';
import type { Clock, StoreLog } from '../disk.ts';
import type { Journal } from '../journal.ts';
import type { QueryBudget, Row } from '../store.ts';
import { createConversation, PortDied, type Conversation } from './conversation.ts';
import { createFeed, type Feed } from './feed.ts';
import type { Loaded, SnapshotImage, StoredLedger } from './messages.ts';
import { openInlinePort, openWorkerPort } from './port.ts';

export interface ReadModelOptions {
  readonly place: 'inline' | 'worker';
  readonly journal: Pick<Journal, 'secret' | 'read' | 'end'>;
  readonly clock: Clock;
  readonly log: StoreLog;
  /** Images to start from, best first; those that do not fit the log are passed over. */
  readonly images: () => AsyncIterable<StoredImage>;
}

export interface StoredImage {
  readonly name: string;
  readonly image: Uint8Array;
  readonly checksum: number;
  /** Whether it belongs to this log: the line of that entry has that checksum. */
  readonly fits: (entry: number, checksum: number) => Promise<boolean>;
}

/** Entries that only a turn sees, on top of the durable ones. */
export interface TurnView {
  /** Number of the first. */
  readonly first: number;
  readonly lines: readonly string[];
}

export interface ReadModel {
  readonly adopt: (definition: ReadModelDefinition) => Promise<void>;
  /** Lines that have just become durable; cheap. */
  readonly follow: (first: number, lines: readonly string[]) => void;
  /** What turns had appended beyond the durable end is no more. */
  readonly takenBack: () => void;
  readonly query: (
    query: CompiledQuery,
    parameters: readonly Value[],
    budget: QueryBudget | undefined,
    turn?: TurnView,
  ) => Promise<readonly Row[]>;
  readonly putTable: (table: string, columns: readonly Column[], rows: readonly Row[]) => Promise<void>;
  readonly dropTable: (table: string) => Promise<void>;
  /** What the ledger was at the snapshot that was loaded; undefined when none was, or when it does not show everything. */
  readonly ledger: () => Promise<StoredLedger | undefined>;
  readonly snapshot: () => Promise<SnapshotImage>;
  /** Entry up to which tables were last known to be, and what they take. */
  readonly state: () => { readonly entry: number; readonly bytes: number };
  readonly close: () => Promise<void>;
}

interface Live {
  readonly talk: Conversation;
  readonly feed: Feed;
  readonly loaded: Loaded | undefined;
}

const attempts = 3;

export function createReadModel(options: ReadModelOptions): ReadModel {
  const { journal } = options;
  const openPort = options.place === 'worker' ? openWorkerPort : openInlinePort;
  const tables = new Map<string, { readonly columns: readonly Column[]; readonly rows: readonly Row[] }>();
  let definition: ReadModelDefinition | undefined;
  let live: Promise<Live> | undefined;
  /** The feed of one that has started. */
  let feeding: Feed | undefined;
  let state = { entry: 0, bytes: 0 };
  /** Counts how often what turns had appended was taken back. */
  let epoch = 0;
  let closed = false;
  let adopting: Promise<unknown> = Promise.resolve();

  const start = async (): Promise<Live> => {
    const talk = await createConversation(openPort, journal.secret, {
      onApplied: (entry, bytes) => {
        state = { entry, bytes };
      },
      onDeath: (reason) => {
        live = undefined;
        feeding = undefined;
        if (!closed) options.log('warn', `the read model starts again: ${reason}`);
      },
    });
    const loaded = await loadImage(talk, options);
    const feed = createFeed(talk, journal, loaded?.hasDefinition === true ? loaded.entry : 0);
    if (loaded?.hasDefinition === true) feed.open();
    if (definition !== undefined) await adoptInto({ talk, feed, loaded }, definition);
    for (const [table, { columns, rows }] of tables) await talk.ask({ do: 'table', table, columns, rows });
    feeding = feed;
    return { talk, feed, loaded };
  };

  const ready = (): Promise<Live> => {
    if (closed) return Promise.reject(new Error('the read model is closed'));
    if (live === undefined) {
      const starting = start();
      live = starting;
      starting.catch(() => {
        if (live === starting) live = undefined;
      });
    }
    return live;
  };

  /** Again on a fresh one when it died; only so often when it may have died of this question. */
  const patiently = async <T>(work: (live: Live) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; ) {
      try {
        return await work(await ready());
      } catch (error) {
        if (!(error instanceof PortDied) || attempt === attempts || closed) throw error;
        if (!error.innocent) attempt += 1;
      }
    }
  };

  const adoptInto = async ({ talk, feed }: Live, next: ReadModelDefinition): Promise<void> => {
    feed.forget();
    const rebuild = await talk.ask({ do: 'adopt', definition: next });
    if (rebuild === undefined) {
      feed.open();
      return;
    }
    // Entries go on arriving meanwhile; the swap is posted in the very moment when nothing is missing.
    let refilled = 0;
    for (let more = true; ;) {
      while (Array.isArray(rebuild) && rebuild.length > 0 && refilled < feed.position()) {
        for await (const lines of journal.read(refilled + 1, feed.position())) {
          feed.forget();
          await talk.ask({ do: 'refill', lines });
          refilled += lines.length;
        }
      }
      if (!more) break;
      feed.forget();
      more = (await talk.ask({ do: 'fold' })) === true;
    }
    feed.forget();
    await talk.ask({ do: 'swap' });
    feed.open();
  };

  // A thread takes a while to start, and meanwhile this one has other things to do. A failure shows at the first question.
  if (options.place === 'worker') ready().catch(() => undefined);

  return {
    adopt: (next) => {
      const done = adopting.then(() =>
        patiently(async (current) => {
          await adoptInto(current, next);
          definition = next;
        }),
      );
      adopting = done.catch(() => undefined);
      return done;
    },
    follow: (first, lines) => {
      // One that is still starting reads them from the log.
      feeding?.offer(first, lines);
    },
    takenBack: () => {
      epoch += 1;
      feeding?.forget();
    },
    query: (query, parameters, budget = {}, turn) => {
      const target = turn === undefined ? journal.end() : turn.first - 1;
      const asked = epoch;
      return patiently(async ({ talk, feed }) => {
        await feed.reach(target);
        if (turn === undefined) feed.forget();
        else {
          if (asked !== epoch) throw new Error('the turn that asked is over');
          feed.foresee(turn.first, turn.lines);
        }
        const { sql, columns } = query;
        return talk.query({
          do: 'query',
          query: {
            sql,
            parameters: query.parameters.map(({ type }) => ({ type })),
            columns: columns.map(({ type }) => ({ type })),
          },
          parameters,
          budget,
          instant: budget.instant ?? options.clock(),
        });
      });
    },
    putTable: async (table, columns, rows) => {
      checkSessionTable(table);
      tables.set(table, { columns, rows });
      await patiently(async ({ talk, feed }) => {
        feed.forget();
        await talk.ask({ do: 'table', table, columns, rows });
      });
    },
    dropTable: async (table) => {
      checkSessionTable(table);
      tables.delete(table);
      await patiently(async ({ talk, feed }) => {
        feed.forget();
        await talk.ask({ do: 'drop', table });
      });
    },
    ledger: async () => {
      const { talk, loaded } = await ready();
      if (loaded === undefined) return undefined;
      const stored = (await talk.ask({ do: 'ledger' })) as StoredLedger; // the core's answer to `ledger`
      return stored.complete ? stored : undefined;
    },
    snapshot: () =>
      patiently(async ({ talk, feed }) => {
        await feed.reach(journal.end());
        feed.forget();
        return (await talk.ask({ do: 'snapshot' })) as SnapshotImage; // the core's answer to `snapshot`
      }),
    state: () => state,
    close: async () => {
      closed = true;
      const current = await live?.catch(() => undefined);
      await current?.talk.end();
    },
  };
}

/** The first image that loads and belongs to this log. */
async function loadImage(talk: Conversation, { images, log }: ReadModelOptions): Promise<Loaded | undefined> {
  for await (const { name, image, checksum, fits } of images()) {
    try {
      const loaded = (await talk.ask({ do: 'load', image, checksum })) as Loaded; // the core's answer to `load`
      if (await fits(loaded.entry, loaded.checksum)) return loaded;
      await talk.ask({ do: 'unload' });
      log('warn', `passed over ${name}: it belongs to another log`);
    } catch (error) {
      if (error instanceof PortDied || error instanceof Failure) throw error;
      log('warn', `passed over ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return undefined;
}

function checkSessionTable(table: string): void {
  if (!table.startsWith('s$')) throw new Error(`${table} is no name of a session's table`);
}
