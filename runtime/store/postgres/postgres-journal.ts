/**
 * The log in PostgreSQL, which any number of processes append to (docs/servers.md). Appending is one statement, which moves the row `head` only if
 * entry and batch are still as expected; reading takes pages of rows that never change.
 */
import { fail } from '../../../language/failure/failure.ts';
import type { Randomness, StoreLog } from '../disk.ts';
import { JournalFailure, type Journal, type JournalEnd, type Trouble } from '../journal.ts';
import { createFollowing } from '../journal/following.ts';
import { createEndQuestion } from '../turns/end-question.ts';
import { createAppending } from './appending.ts';
import type { Connection } from './connection.ts';
import { createEnd, Parted, type End, type Remarks } from './known-end.ts';
import { DatabaseFailure } from './failure.ts';
import { createLandmarks, findLostEntries, partedReason, type LostEntries } from './lost-entries/landmarks.ts';
import { createLink, type Link } from './link.ts';
import { importNamespace } from './namespace.ts';
import { openTables } from './migrations.ts';
import { readPage, type ReadLine } from './pages.ts';
import { lineOfVersion } from './product.ts';
import { createReach } from './reach.ts';
import { createStatements } from './statements.ts';
import type { Target } from './target.ts';
import { createWatch } from './watch.ts';

export interface PostgresJournalOptions {
  readonly target: Target;
  /** A checked name (`namespace.ts`). */
  readonly namespace: string;
  /** A direct connection, for notices that others have appended. */
  readonly listen?: Target;
  /** Time between two questions for the end while the log is followed without notices. */
  readonly pollMilliseconds?: number;
  /** Time to wait for a database that is away at the start. */
  readonly waitMilliseconds?: number;
  /** Time limit for an answer of the database. */
  readonly milliseconds?: number;
  readonly random: Randomness;
  /** Milliseconds since 1970, of this machine. */
  readonly now: () => number;
  readonly monotonic: () => number;
  readonly log: StoreLog;
  /** Hex of 32 bytes, for a new store that replaces another one; else random. */
  readonly secret?: string;
  /** Called once when the log turns out to have lost entries that this process has read. */
  readonly onLost?: (lost: LostEntries) => void;
  /** Called with the number of changes of the registry that were announced to the servers of this log, again and again. */
  readonly onAnnounced?: (announced: number) => void;
  /** Nothing is made, migrated or written, so the right to read is enough. Fails with R0420 where there is no log. */
  readonly readOnly?: boolean;
  /** The version of this product: entries name it, and where one that decides differently has appended, an older one does not. */
  readonly product?: string;
  /** Ends the wait for a database that is away. */
  readonly signal?: AbortSignal;
}

export interface PostgresJournal extends Journal {
  /** Identifies the store; the same for all its servers. */
  readonly storeId: string;
  /** Host, database and namespace, for messages. */
  readonly place: string;
  /** A connection for the tables next to the log. */
  readonly stateLink: Link;
  /** Ends of batches that this process has read, in order. */
  readonly landmarks: () => readonly JournalEnd[];
  /** The end that is known now counts as read: a read model on disk has what was not read again. */
  readonly markEnd: () => void;
  /** Lines of a range, damaged ones included; missing ones are left out. */
  readonly page: (from: number, to: number) => Promise<readonly ReadLine[]>;
}

const defaults = { pollMilliseconds: 25, milliseconds: 10_000 } as const;
/** A clock that is further ahead of the database's would date the entries of all servers from then on. */
const mostAheadMilliseconds = 5_000;
const followAgainMilliseconds = 250;
const startAgainMilliseconds = 250;

/** Throws a `Failure`: R0420 when the database cannot be used, R0406 when its tables or entries have a newer format. */
export async function openPostgresJournal(options: PostgresJournalOptions): Promise<PostgresJournal> {
  const { target, namespace, log, random } = options;
  const { shown } = target;
  const isReader = options.readOnly === true;
  const product = isReader ? undefined : options.product;
  const milliseconds = options.milliseconds ?? defaults.milliseconds;
  const place = `${shown}, namespace ${namespace}`;
  const link = (): Link =>
    createLink({ target, milliseconds, monotonic: options.monotonic, onLost: (failure) => reach.lost(failure) });
  // A question for the end never waits for a page or an append.
  const [appends, asks, reads] = [link(), link(), link()];
  const closeLinks = (): Promise<unknown> => Promise.all([appends.close(), asks.close(), reads.close()]);
  const hex = (bytes: number): string => Buffer.from(random(bytes)).toString('hex');

  const reach = createReach({ probe: () => fresh(), shown, log });
  const begin = async (): Promise<Awaited<ReturnType<typeof openDatabase>>> => {
    const created = isReader ? 'no new store' : { id: hex(16), secret: options.secret ?? hex(32) };
    const until = options.monotonic() + (options.waitMilliseconds ?? 0);
    for (let told = false; ; told = true) {
      try {
        return await reads.use((connection) => openDatabase(connection, namespace, { created, product }, shown));
      } catch (error) {
        if (error instanceof JournalFailure && error.heals && options.monotonic() < until) {
          if (!told) log('warn', `${error.reason}; it is asked again until it answers`);
          await pauseOf(startAgainMilliseconds);
          if (options.signal?.aborted !== true) continue;
          await closeLinks();
          throw options.signal.reason;
        }
        await closeLinks();
        throw openingFailure(place, error);
      }
    }
  };
  const { store, durability } = await begin();
  const end = createEnd({
    place,
    storeId: store.id,
    now: options.now,
    breakOff: reach.breakOff,
    onMoved: () => following.wake(),
    onAnnounced: (announced) => options.onAnnounced?.(announced),
  });

  const channel = options.listen === undefined ? undefined : channelOf(namespace);
  const statements = createStatements({
    namespace,
    // Less than this side waits, so that the database gives the reason.
    milliseconds: Math.ceil(0.8 * milliseconds),
    waitForDisk: durability.isAsynchronous,
    format: store.format,
    ...(channel !== undefined && { channel }),
  });
  const landmarks = createLandmarks();
  const lostBy = async (connection: Connection): Promise<LostEntries | undefined> => {
    // A connection with a lock is in a transaction, which the caller gives up.
    const lost = await findLostEntries(connection, namespace, landmarks.all());
    if (lost !== undefined) options.onLost?.(lost);
    return lost;
  };
  const learned = async (connection: Connection, ...learnt: Parameters<End['learn']>): Promise<JournalEnd> => {
    try {
      return end.learn(...learnt);
    } catch (error) {
      if (!(error instanceof Parted)) throw error;
      reach.refuseBroken();
      const lost = await lostBy(connection).catch(() => undefined); // the log is another one in any case
      throw reach.breakOff(partedReason(place, error, lost));
    }
  };
  const appending = createAppending({ link: appends, statements, end, learned, shown, random, product });

  let askedAt = -Infinity;
  const ask = async (): Promise<JournalEnd> => {
    reach.refuseBroken();
    askedAt = options.monotonic();
    const answered = await reach.watched(
      asks.use(async (connection) => {
        const asked = end.asking();
        const found = await learned(connection, asked, await connection.query(statements.end, [asked.entry]));
        // Its end may be an old one, and after a fail-over the URL leads to the primary again.
        if (!isReader && end.remarks().isReplica) throw onReplica(shown);
        return found;
      }),
    );
    return { entry: answered.entry, batch: answered.batch };
  };
  const fresh = createEndQuestion({ fresh: ask });

  const damaged = (entry: number, problem: string): Error => {
    const failure = fail('R0421', { place, entry, problem });
    reach.breakOff(failure.message);
    return failure;
  };
  const page = async (from: number, to: number): Promise<readonly ReadLine[]> =>
    appending.takePage(from)?.slice(0, to - from + 1) ??
    reach.watched(reads.use((connection) => readPage(connection, statements.page, from, to)));
  const read: Journal['read'] = async function* (from, to) {
    for (let next = from; next <= to;) {
      const lines: string[] = [];
      for (const { number, line, problem, batch } of await page(next, to)) {
        // The lines before damage are given first.
        if (number !== next || (line === undefined && lines.length > 0)) break;
        if (line === undefined) throw damaged(number, problem ?? 'it has no line');
        if (batch !== null) landmarks.add({ entry: number, batch });
        lines.push(line);
        next += 1;
      }
      if (lines.length === 0) throw damaged(next, 'its row is missing');
      yield lines;
    }
  };

  const following = createFollowing({ read, fresh, end: () => end.known().entry });
  const watch = createWatch({
    ask: () => {
      fresh().catch(() => undefined); // a hint; `trouble` has the failure
    },
    sinceAsked: () => options.monotonic() - askedAt,
    pollMilliseconds: options.pollMilliseconds ?? defaults.pollMilliseconds,
    log,
    ...(options.listen !== undefined &&
      channel !== undefined && {
        listener: {
          target: options.listen,
          channel,
          token: hex(8),
          notify: async (payload) => {
            await asks.use((connection) => connection.query('SELECT pg_notify($1, $2)', [channel, payload]));
          },
        },
      }),
  });

  /** Survives a database that is away: continues after the last line given. */
  const follow: Journal['follow'] = async function* (from, signal) {
    watch.begin();
    try {
      for (let next = from; !signal.aborted && !reach.isClosed();) {
        try {
          for await (const lines of following.follow(next, signal)) {
            next += lines.length;
            yield lines;
          }
          return;
        } catch (error) {
          if (reach.isClosed()) return;
          if (!(error instanceof JournalFailure) || !error.heals) throw error;
          await pauseOf(followAgainMilliseconds, signal);
        }
      }
    } finally {
      watch.end();
    }
  };

  const close = async (): Promise<void> => {
    reach.close();
    following.close();
    await appending.unlock();
    await watch.close();
    await closeLinks();
  };

  try {
    await fresh();
  } catch (error) {
    await close();
    throw openingFailure(place, error);
  }

  return {
    secret: store.secret,
    storeId: store.id,
    place,
    stateLink: reads,
    landmarks: landmarks.all,
    markEnd: () => {
      const { entry, tail } = end.known();
      if (tail !== null) landmarks.add({ entry, batch: tail });
    },
    known: () => {
      const { entry, batch } = end.known();
      return { entry, batch };
    },
    fresh,
    append: async (batch) => {
      reach.refuseBroken();
      const outcome = await reach.watched(appending.append(batch));
      const entry = batch.after.entry + batch.lines.length;
      if (outcome === 'behind') return outcome;
      landmarks.add({ entry, batch: batch.id });
      if (end.keep(batch.after, { entry, batch: batch.id })) following.moved(batch.after.entry + 1, batch.lines);
      else following.wake();
      return outcome;
    },
    lock: async () => {
      reach.refuseBroken();
      return reach.watched(appending.lock());
    },
    unlock: appending.unlock,
    settle: async (batch) => {
      reach.refuseBroken();
      return reach.watched(appending.settle(batch));
    },
    page,
    network: () => ({
      roundTrips: reach.roundTrips(),
      connections: [appends, asks, reads].filter(({ isOpen }) => isOpen()).length + (watch.isListening() ? 1 : 0),
      aheadMilliseconds: end.aheadMilliseconds(),
      isReplica: isReader && end.remarks().isReplica,
    }),
    read,
    follow,
    trouble: () => {
      const ahead = end.aheadMilliseconds();
      if (ahead <= mostAheadMilliseconds) return reach.trouble() ?? olderProduct(product, end.remarks());
      const seconds = Math.round(ahead / 1000);
      return { reason: `the clock of this machine is ${seconds} s ahead of the database's; set it`, heals: true };
    },
    look: async () => {
      await fresh().catch(() => undefined); // `trouble` has the failure
    },
    notes: () => [
      ...durability.notes,
      ...(end.remarks().isReplica ? [`the log is read from a replica, ${shown}`] : []),
    ],
    holder: (entry) => `${place}, entry ${entry}`,
    close,
  };
}

/** Notices go this way. The namespace is a checked name. */
export function channelOf(namespace: string): string {
  return `schemac_${namespace}`;
}

/** The reason why this version may not append any longer: a version that decides differently has appended. */
function olderProduct(own: string | undefined, { product }: Remarks): Trouble | undefined {
  if (own === undefined || product === undefined || product.line <= lineOfVersion(own)) return undefined;
  const reason = `schemac ${product.version} has appended to the log, and this server is schemac ${own}, which may decide differently; replace it`;
  return { reason, heals: false };
}

function onReplica(shown: string): DatabaseFailure {
  const reason = `the database ${shown} is a replica, which takes no writes and may lack the last entries; name the primary, or read with start --read-only`;
  return new DatabaseFailure(reason, 'away');
}

function openingFailure(place: string, error: unknown): unknown {
  return error instanceof JournalFailure ? fail('R0420', { place, problem: error.reason }) : error;
}

interface Durability {
  /** Without a setting of its own a commit would be acknowledged before it is on the disk. */
  readonly isAsynchronous: boolean;
  readonly notes: readonly string[];
}

async function openDatabase(
  connection: Connection,
  ...[namespace, opened, shown]: Parameters<typeof openTables> extends [Connection, ...infer R] ? R : never
): Promise<{ readonly store: Awaited<ReturnType<typeof openTables>>; readonly durability: Durability }> {
  if (opened.created !== 'no new store') {
    const { rows } = await connection.query('SELECT pg_is_in_recovery()');
    if (rows[0]?.[0] === 't') throw onReplica(shown);
  }
  const store = await openTables(connection, namespace, opened, shown);
  if (opened.created !== 'no new store' && store.entry === 0) await refuseDuringImport(connection, namespace, shown);
  const settings = "SELECT current_setting('synchronous_commit', true), current_setting('fsync', true)";
  const [synchronousCommit, fsync] = (await connection.query(settings)).rows[0] ?? [];
  const unsafe = 'the database runs with fsync off: a power cut may lose acknowledged entries';
  return { store, durability: { isAsynchronous: synchronousCommit === 'off', notes: fsync === 'off' ? [unsafe] : [] } };
}

/** A server that began an empty log would keep the import from taking its place. */
async function refuseDuringImport(connection: Connection, namespace: string, shown: string): Promise<void> {
  const aside = importNamespace(namespace);
  const { rows } = await connection.query('SELECT to_regnamespace($1)', [aside]);
  if ((rows[0]?.[0] ?? null) === null) return;
  const problem = `an import into it is under way, or was interrupted: let it finish, run the same 'schemac log import' again, which goes on with it, or give it up with 'schemac log import --discard'`;
  throw fail('R0420', { place: `${shown}, namespace ${namespace}`, problem });
}

function pauseOf(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
  });
}
