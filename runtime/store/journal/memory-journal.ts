import { type Journal, lockMilliseconds } from '../journal.ts';
import { createBatchEnds } from './batch-ends.ts';
import { createFollowing, type Following } from './following.ts';

/** A read gives this many characters at once, or one longer line. */
const pageCharacters = 1024 * 1024;

/** A log that lasts as long as the process. Its journals behave like several servers on one log. */
export interface MemoryLog {
  readonly connect: () => Journal;
}

export function createMemoryLog(secret: string): MemoryLog {
  const kept: string[] = [];
  const ends = createBatchEnds({ entry: 0, batch: 'empty' });
  const connected = new Set<() => void>();
  const lock = createAppendLock();

  const connect = (): Journal => {
    const connection = Symbol('connection');
    let known = ends.end();
    /** Updates the known end; followers get the new lines. */
    const learn = (): void => {
      const before = known.entry;
      known = ends.end();
      if (known.entry > before) following.moved(before + 1, kept.slice(before, known.entry));
    };
    // oxlint-disable-next-line typescript/require-await -- an async generator like the journals on disk
    const read = async function* (from: number, to: number): AsyncGenerator<readonly string[], void, undefined> {
      for (let start = from - 1; start < to;) {
        let end = start;
        for (let size = 0; end < to && size < pageCharacters; end += 1) size += kept[end]?.length ?? 0;
        yield kept.slice(start, end);
        start = end;
      }
    };
    const fresh = (): Promise<typeof known> => {
      learn();
      return Promise.resolve(known);
    };
    const following: Following = createFollowing({ read, end: () => known.entry, fresh });
    /** Followers also wait for the appends of others. */
    const hint = (): void => {
      if (following.isFollowed()) learn();
    };
    connected.add(hint);
    return {
      secret,
      known: () => known,
      fresh,
      append: async (batch) => {
        if (!lock.isFree(connection)) await lock.take(connection);
        try {
          if (!ends.isNext(batch)) return 'behind';
          for (const line of batch.lines) kept.push(line);
          ends.keep(batch);
          learn();
          for (const tell of connected) tell();
          return 'kept';
        } finally {
          lock.release(connection);
        }
      },
      lock: async () => {
        await lock.take(connection);
        return fresh();
      },
      unlock: () => {
        lock.release(connection);
        return Promise.resolve();
      },
      settle: (batch) => {
        const outcome = ends.settle(batch);
        learn();
        return Promise.resolve(outcome);
      },
      read,
      follow: following.follow,
      trouble: () => undefined,
      look: () => Promise.resolve(),
      notes: () => [],
      holder: () => 'the log',
      close: () => {
        connected.delete(hint);
        lock.release(connection);
        following.close();
        return Promise.resolve();
      },
    };
  };
  return { connect };
}

/** A log of its own, for one process. */
export function createMemoryJournal(secret: string): Journal {
  return createMemoryLog(secret).connect();
}

/** The right to append to a log, which one connection of several can have; the others wait in the order they came. */
interface AppendLock {
  /** Whether no other connection has it. */
  readonly isFree: (connection: symbol) => boolean;
  readonly take: (connection: symbol) => Promise<void>;
  /** Also the place in the queue of a connection that still waits. */
  readonly release: (connection: symbol) => void;
}

function createAppendLock(milliseconds = lockMilliseconds): AppendLock {
  const queue: { readonly connection: symbol; readonly begin: () => void }[] = [];
  let expiry: NodeJS.Timeout | undefined;

  const beginFirst = (): void => {
    clearTimeout(expiry);
    const first = queue[0];
    if (first === undefined) return;
    expiry = setTimeout(() => release(first.connection), milliseconds);
    first.begin();
  };

  const release = (connection: symbol): void => {
    const index = queue.findIndex((waiting) => waiting.connection === connection);
    if (index < 0) return;
    const [removed] = queue.splice(index, 1);
    removed?.begin();
    if (index === 0) beginFirst();
  };

  return {
    isFree: (connection) => queue.length === 0 || queue[0]?.connection === connection,
    take: (connection) =>
      new Promise((resolve) => {
        queue.push({ connection, begin: resolve });
        if (queue.length === 1) beginFirst();
      }),
    release,
  };
}
