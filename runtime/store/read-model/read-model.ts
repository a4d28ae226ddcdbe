/**
 * The read model as the store sees it: adopts registries, follows the durable log, answers queries on the durable state
 * or on that of a turn. Its database (in this thread or a worker) can die at any time: a new one loads the newest
 * snapshot, gets the rest from the log, and open requests are sent again. Commands continue meanwhile; the read model
 * is never the truth.
 */
import type { ColumnBatch } from '../../../language/contract/column-bytes.ts';
import type { CompiledQuery } from '../../../language/contract/query.ts';
import type { ReadModelDefinition } from '../../../language/contract/read-model.ts';
import { fail, Failure } from '../../../language/failure/failure.ts';
import type { Value } from '../../../language/values/type.ts';
import type { Clock, StoreLog } from '../disk.ts';
import type { Journal } from '../journal.ts';
import {
  Overtaken,
  type AdoptionLimits,
  type QueryOptions,
  type RebuildProgress,
  type Row,
  type TableColumn,
  type TableRows,
} from '../store.ts';
import { createConversation, PortDied, type Conversation } from './thread/conversation.ts';
import { createFeed, type Feed } from './thread/feed.ts';
import { createBuilding } from './building.ts';
import { createLargeReads } from './large-reads.ts';
import { loadImage, resumeFile, type StoredImage } from './images.ts';
import type { ModelFile } from './model-file.ts';
import type { FoldProgress, Loaded, SnapshotImage, StoredLedger } from './thread/messages.ts';
import { openBackgroundPort, openInlinePort, openWorkerPort, type Port, type PortListener } from './thread/port.ts';

/** The part of a log that a read model reads. */
export interface ReadModelLog extends Pick<Journal, 'secret' | 'read'> {
  /** Number of the last known entry. */
  readonly end: () => number;
  /** Number of the last durable entry at some moment after the call; `end` is at least there afterwards. */
  readonly fresh: () => Promise<number>;
}

export interface ReadModelOptions {
  /** `background`: a thread with a lower priority than all others. */
  readonly place: 'inline' | 'worker' | 'background';
  /** It starts with the first query, not at once: for a store that is mostly closed without one. */
  readonly startsWhenAsked?: boolean;
  readonly journal: ReadModelLog;
  readonly clock: Clock;
  readonly log: StoreLog;
  /** Images to start from, best first; those that do not fit the log are ignored. */
  readonly images: () => AsyncIterable<StoredImage>;
  /** The file that has its tables, and whether an entry with that checksum is in this log. Else they are in memory. */
  readonly file?: {
    readonly place: ModelFile;
    readonly fits: StoredImage['fits'];
    /** Its queries wait until it is complete, as those of tables in memory do. */
    readonly isAside?: true;
  };
}

/** Entries that only a turn sees, after the durable ones. */
export interface TurnView {
  /** Number of the first one. */
  readonly first: number;
  readonly lines: readonly string[];
}

export interface ReadModel {
  readonly prepare: (definition: ReadModelDefinition, limits?: AdoptionLimits) => Promise<() => Promise<void>>;
  /** Lines that have just become durable; cheap. */
  readonly follow: (first: number, lines: readonly string[]) => void;
  /** Drops entries that turns had appended beyond the durable end. */
  readonly takenBack: () => void;
  readonly query: (
    query: CompiledQuery,
    parameters: readonly Value[],
    options: QueryOptions | undefined,
    turn?: TurnView,
  ) => Promise<readonly Row[]>;
  /** The same on the durable state, by column (`Store.columns`). */
  readonly columns: (
    query: CompiledQuery,
    parameters: readonly Value[],
    options: QueryOptions | undefined,
  ) => Promise<ColumnBatch>;
  readonly putTable: (table: string, columns: readonly TableColumn[], rows: TableRows) => Promise<void>;
  readonly putQuery: (
    table: string,
    query: CompiledQuery,
    parameters: readonly Value[],
    options?: QueryOptions,
  ) => Promise<void>;
  readonly dropTable: (table: string) => Promise<void>;
  /** Rebuilds the folds behind a view. */
  readonly rebuild: (view: string, onProgress: RebuildProgress) => Promise<void>;
  /** The ledger at the loaded snapshot; undefined without one, or when it does not show everything. */
  readonly ledger: () => Promise<StoredLedger | undefined>;
  readonly snapshot: () => Promise<SnapshotImage>;
  /** The definition for queries that are sent now; undefined during a change. */
  readonly inForce: () => ReadModelDefinition | undefined;
  /**
   * Resolves when all that is durable now, or with `local` all that is known here, is in the file, for readers beside
   * it. Gives the last of these entries, and the same object as long as the file is the same.
   */
  readonly settled: (local?: boolean) => Promise<{ readonly entry: number; readonly file: object }>;
  /** The reason why reads wait or fail, with tables in a file: it is being built, or the disk is full. */
  readonly trouble: () => string | undefined;
  /** The last entry that the tables are known to contain, and their bytes. */
  readonly state: () => { readonly entry: number; readonly bytes: number };
  readonly close: () => Promise<void>;
}

interface PrepareOptions {
  readonly rebuild?: readonly string[];
  readonly onProgress?: RebuildProgress;
  readonly limits?: AdoptionLimits;
}

interface Live {
  readonly talk: Conversation;
  readonly feed: Feed;
  readonly loaded: Loaded | undefined;
}

/** Tables built aside for a definition. */
interface Prepared {
  readonly live: Live;
  /** There is no difference. */
  readonly same: boolean;
  /** Tables are rebuilt from the log. */
  readonly refills: boolean;
  /** Last entry that was sent again. */
  refilled: number;
}

const attempts = 3;
/** A read with a limit of at most this many bytes of values is short: it is sent at once. */
const smallRead = 1024 * 1024;
const ports = { inline: openInlinePort, worker: openWorkerPort, background: openBackgroundPort } as const;

export function createReadModel(options: ReadModelOptions): ReadModel {
  const { journal } = options;
  const openPort = ports[options.place];
  /**
   * Session tables, which a new database is filled with again. An inline one is never replaced, so nothing is kept
   * there.
   */
  const tables = new Map<string, { readonly columns: readonly TableColumn[]; readonly rows: TableRows }>();
  let definition: ReadModelDefinition | undefined;
  let live: Promise<Live> | undefined;
  /** The feed of a started database. */
  let feeding: Feed | undefined;
  let state = { entry: 0, bytes: 0 };
  const largeReads = createLargeReads(() => performance.now());
  const building = createBuilding({
    end: journal.end,
    log: options.log,
    isBuilt: options.file?.isAside ?? options.file === undefined,
  });
  /** Number of times that entries of turns were taken back. */
  let epoch = 0;
  let closed = false;
  /** The previous database: its memory is free before another one takes as much. */
  let ending: Promise<void> = Promise.resolve();
  let adopting: Promise<unknown> = Promise.resolve();
  /** The last build that was started: the core builds one at a time. */
  let prepared: Prepared | undefined;
  /** The definition for queries that are sent now; undefined while it is unknown. */
  let inForce: ReadModelDefinition | undefined;

  const start = async (): Promise<Live> => {
    await ending;
    const talk = await createConversation(open, {
      onApplied: (entry, bytes) => {
        state = { entry, bytes };
        building.applied(entry);
      },
      onSettled: building.settled,
      onDeath: (reason, { overTime, unwritable }, ended) => {
        live = undefined;
        ending = ended;
        feeding = undefined;
        if (closed) return;
        options.log('warn', `the read model starts again: ${reason}`);
        // Started now, so that the next query need not wait for it. After a death by a table or query it starts with
        // the next query.
        if (overTime) ready().catch(() => undefined);
        if (unwritable) building.failed(reason, () => void ready().catch(() => undefined));
      },
    });
    const loaded = await load(talk);
    state = { entry: loaded?.entry ?? 0, bytes: loaded?.bytes ?? 0 };
    building.from(state.entry);
    const feed = createFeed(talk, journal, loaded?.hasDefinition === true ? loaded.entry : 0);
    if (loaded?.hasDefinition === true) feed.open();
    if (definition !== undefined) {
      const current = { talk, feed, loaded };
      await swap(await prepare(current, definition), definition);
    }
    for (const [table, { columns, rows }] of tables) await fillTable({ talk, feed }, table, columns, rows);
    feeding = feed;
    buildOn(feed);
    return { talk, feed, loaded };
  };

  const open = async (listener: PortListener): Promise<Port> => {
    try {
      return await openPort(journal.secret, listener, options.file?.place);
    } catch (error) {
      if (options.file === undefined) throw error;
      throw fail('R0414', { reason: `the read model on disk cannot be opened: ${messageOf(error)}` });
    }
  };

  const load = (talk: Conversation): Promise<Loaded | undefined> => {
    const { file, log } = options;
    if (file === undefined) return loadImage(talk, options.images(), log);
    return resumeFile(talk, file.fits, (reason) =>
      log('warn', `the read model is built from the log again: ${reason}`),
    );
  };

  /** A file is filled without waiting for a query: a long history takes minutes. */
  const buildOn = (feed: Feed): void => {
    if (options.file === undefined || inForce === undefined) return;
    const end = journal.end();
    // A failure ends the port, which is reported.
    feed.reach(end).then(
      () => building.done(end),
      () => undefined,
    );
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

  /**
   * Repeats the work on a new database when the old one died; a limited number of times when this work may have caused
   * the death.
   */
  const patiently = async <T>(work: (live: Live) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ;) {
      try {
        return await work(await ready());
      } catch (error) {
        if (error instanceof PortDied && error.unwritable) throw building.failure();
        if (!(error instanceof PortDied) || attempt === attempts || closed) throw error;
        if (!error.innocent) attempt += 1;
      }
    }
  };

  const prepare = async (
    on: Live,
    next: ReadModelDefinition,
    { rebuild = [], onProgress = () => undefined, limits = {} }: PrepareOptions = {},
  ): Promise<Prepared> => {
    const { talk, feed } = on;
    feed.forget();
    const rebuilt = await talk.ask({ do: 'prepare', definition: next, rebuild }, limits.stepMilliseconds);
    const refills = Array.isArray(rebuilt) && rebuilt.length > 0;
    const begun: Prepared = { live: on, same: rebuilt === undefined, refills, refilled: 0 };
    prepared = begun;
    if (begun.same) return begun;
    await refill(begun);
    for (;;) {
      feed.forget();
      const slice = (await talk.ask({ do: 'fold' }, limits.stepMilliseconds)) as FoldProgress | undefined; // the core's answer to `fold`
      if (slice === undefined) return begun;
      // A slice before the events are counted creates tables and has no progress to report.
      if (slice.total > 0) await onProgress(slice.done, slice.total);
    }
  };

  /** Entries continue to arrive meanwhile; when it resolves, none was missing at that moment. */
  const refill = async (begun: Prepared): Promise<void> => {
    const { talk, feed } = begun.live;
    while (begun.refills && begun.refilled < feed.position()) {
      for await (const lines of journal.read(begun.refilled + 1, feed.position())) {
        feed.forget();
        await talk.ask({ do: 'refill', lines });
        begun.refilled += lines.length;
      }
    }
  };

  const swap = async (begun: Prepared, next: ReadModelDefinition, limits: AdoptionLimits = {}): Promise<void> => {
    const { talk, feed } = begun.live;
    if (!begun.same) {
      while (begun.refills && begun.refilled < feed.position()) await refill(begun);
      feed.forget();
      const { swapMilliseconds: milliseconds, stepMilliseconds } = limits;
      const request = milliseconds === undefined ? { do: 'swap' as const } : { do: 'swap' as const, milliseconds };
      const swapped = talk.ask(request, stepMilliseconds);
      inForce = undefined;
      if ((await swapped) === 'overtaken') return swap(await prepare(begun.live, next, { limits }), next, limits);
    }
    inForce = next;
    feed.open();
    buildOn(feed);
  };

  /** One after the other; each sees the result of the one before. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = adopting.then(work);
    adopting = done.catch(() => undefined);
    return done;
  };

  /** Swaps in the tables built aside, or builds them again if they were lost or another build has started since. */
  const swapInTurn = (begun: Prepared, next: ReadModelDefinition, limits?: AdoptionLimits): Promise<void> =>
    inTurn(() =>
      patiently(async (current) => {
        const ready =
          begun.live === current && begun === prepared
            ? begun
            : await prepare(current, next, limits === undefined ? {} : { limits });
        prepared = undefined;
        const before = inForce;
        try {
          await swap(ready, next, limits);
        } catch (error) {
          inForce = before;
          // The tables built aside still exist.
          if (error instanceof Failure && error.code === 'R0504') prepared = ready;
          throw error;
        }
        definition = next;
      }),
    );

  /** Sends what a query needs: the entries before its turn, those that are here, or all that are durable anywhere. */
  const reachEnd = async (feed: Feed, first: number | undefined, local = false): Promise<void> => {
    if (first !== undefined) return feed.reach(first - 1);
    return feed.reach(local ? journal.end() : await journal.fresh());
  };

  /** Runs a query when the tables contain the entries that it needs. */
  const asked = <T>(
    { sqlite, columns, parameters: types }: CompiledQuery,
    parameters: readonly Value[],
    asking: QueryOptions = {},
    turn: TurnView | undefined,
    put: (live: Live, ...asked: Parameters<Conversation['query']>) => Promise<T>,
  ): Promise<T> => {
    const began = epoch;
    const work = (): Promise<T> =>
      patiently(async (current) => {
        const { feed } = current;
        await building.within(reachEnd(feed, turn?.first, asking.local));
        if (turn === undefined) feed.forget();
        else {
          if (began !== epoch) throw new Error('the turn that asked is over');
          feed.applyAhead(turn.first, turn.lines);
        }
        const { compiledFor, answeredBy: _a, local: _l, shows, signal, takes, ...rest } = asking;
        const { instant = options.clock(), ...limits } = rest;
        if (compiledFor !== undefined && compiledFor !== inForce) throw new Overtaken();
        if (turn === undefined) shows?.(feed.position());
        const question = {
          do: 'query',
          query: {
            ...sqlite,
            parameters: types.map(({ type }) => ({ type })),
            columns: columns.map(({ type }) => ({ type })),
          },
          parameters,
          limits,
          instant,
        } as const;
        return put(current, question, signal, takes);
      });
    // Inline, a query is finished before the next one starts.
    if (options.place === 'inline') return work();
    if (turn !== undefined) return largeReads.forCommand(work);
    return asking.bytes !== undefined && asking.bytes <= smallRead ? work() : largeReads.inTurn(work);
  };

  const runQuery: ReadModel['query'] = (query, parameters, asking, turn) =>
    asked(query, parameters, asking, turn, ({ talk }, ...question) => talk.query(...question));

  const settled: ReadModel['settled'] = (local) =>
    patiently(async (current) => {
      await building.within(reachEnd(current.feed, undefined, local));
      for (let attempt = 1; attempt <= settleAttempts; attempt += 1) {
        current.feed.forget();
        const entry = current.feed.position();
        if ((await current.talk.ask({ do: 'settle' })) === true) return { entry, file: current };
        await delay(settlePause);
      }
      throw fail('R0414', { reason: 'the read model on disk waits for its readers' });
    });

  const putTable: ReadModel['putTable'] = async (table, columns, rows) => {
    checkSessionTable(table);
    if (options.place !== 'inline') tables.set(table, { columns, rows });
    await patiently((current) => fillTable(current, table, columns, rows));
  };

  // A thread takes a while to start, and this one has other work meanwhile. A failure is reported by the first query.
  if (options.place !== 'inline' && options.startsWhenAsked !== true) ready().catch(() => undefined);

  /** Nothing can be built aside yet, and a start builds for the last definition that was put in force. */
  const hasNothing = (): boolean => options.startsWhenAsked === true && live === undefined && journal.end() === 0;

  return {
    prepare: async (next, limits) => {
      if (hasNothing())
        return () => {
          definition = next;
          inForce = next;
          return Promise.resolve();
        };
      const options = limits === undefined ? {} : { limits };
      const begun = await inTurn(() => patiently((current) => prepare(current, next, options)));
      return () => swapInTurn(begun, next, limits);
    },
    follow: (first, lines) => {
      // A database that is still starting reads them from the log.
      feeding?.offer(first, lines);
    },
    rebuild: (view, onProgress) =>
      inTurn(() =>
        patiently(async (current) => {
          if (definition === undefined) return;
          await current.feed.reach(await journal.fresh());
          const begun = await prepare(current, definition, { rebuild: [view], onProgress });
          prepared = undefined;
          await swap(begun, definition);
        }),
      ),
    takenBack: () => {
      epoch += 1;
      feeding?.forget();
    },
    query: runQuery,
    columns: (query, parameters, asking) =>
      asked(query, parameters, asking, undefined, ({ talk }, question, signal) => talk.columns(question, signal)),
    putTable,
    putQuery: async (table, query, parameters, asking) => {
      checkSessionTable(table);
      // The tables of a thread would be lost with it.
      if (options.place !== 'inline') {
        await putTable(table, query.columns, await runQuery(query, parameters, asking));
        return;
      }
      const target = await journal.fresh();
      await patiently(async ({ talk, feed }) => {
        await feed.reach(target);
        feed.forget();
        const runnable = { ...query.sqlite, parameters: query.parameters, columns: query.columns };
        const { instant = options.clock() } = asking ?? {};
        await talk.ask({ do: 'keep-query', table, query: runnable, parameters, instant });
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
    inForce: () => inForce,
    settled,
    trouble: building.trouble,
    state: () => state,
    close: async () => {
      closed = true;
      building.stop();
      const current = await live?.catch(() => undefined);
      if (current === undefined) return;
      if (options.file !== undefined) {
        if (building.trouble() === undefined) await current.feed.reach(journal.end()).catch(() => undefined);
        await settleBeforeEnd(current);
      }
      await current.talk.end();
    },
  };
}

/** So that the next start has nothing to read again. A crash would have the same effect as a failure here. */
async function settleBeforeEnd({ talk, feed }: Live): Promise<void> {
  feed.forget();
  for (let attempt = 1; attempt <= settleAttempts; attempt += 1) {
    const settled = await talk.ask({ do: 'settle' }).catch(() => true);
    if (settled === true) return;
    await delay(settlePause);
  }
}

/** Readers of the file hold its lock for a second at most. */
const [settleAttempts, settlePause] = [300, 10];

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Creates the table, and sends its rows as they arrive. */
async function fillTable(
  { talk, feed }: Pick<Live, 'talk' | 'feed'>,
  table: string,
  columns: readonly TableColumn[],
  rows: TableRows,
): Promise<void> {
  feed.forget();
  if (typeof rows !== 'function') {
    await talk.ask({ do: 'table', table, columns, rows });
    return;
  }
  await talk.ask({ do: 'table', table, columns, rows: [] });
  for await (const page of rows()) {
    feed.forget();
    await talk.ask({ do: 'rows', table, columns, rows: page });
  }
}

function checkSessionTable(table: string): void {
  if (!table.startsWith('s$')) throw new Error(`${table} is no name of a session's table`);
}
