import { lockMilliseconds, type Journal, type JournalEnd } from '../journal.ts';
import type { Sharing } from './turn.ts';

/** The lock of a shared log, which a process takes for a while after others were faster than it. Other processes cannot append meanwhile. */
export interface LogLock {
  /** Others appended first: the next commits take the lock. */
  readonly overtaken: () => void;
  /** The next commit takes the lock, if it is not held. */
  readonly isWanted: () => boolean;
  readonly isHeld: () => boolean;
  /** Whether it is held, and cannot have ended by itself. */
  readonly isSure: () => boolean;
  /** Whether it was held so long that other processes must be let in. */
  readonly isDue: () => boolean;
  /** Waits for it; resolves to the end of the log. */
  readonly take: () => Promise<JournalEnd>;
  readonly release: () => Promise<void>;
  /** An append has ended it. */
  readonly ended: () => void;
  readonly counts: () => Pick<Sharing, 'overtaken' | 'locks' | 'lockMilliseconds'>;
}

/** Commits with the lock after a process was overtaken; then it tries without again. */
const lockedCommits = 20;
/** Turns that begin later than this after the lock was taken wait for the next one: all other processes wait meanwhile. */
const lockedMilliseconds = 300;

/** `monotonic` gives milliseconds on a clock that never decreases. */
export function createLogLock(journal: Journal, monotonic: () => number): LogLock {
  /** Further commits that take the lock first. */
  let contention = 0;
  /** The time at which the lock was taken, while it is. */
  let lockedAt: number | undefined;
  const counts = { overtaken: 0, locks: 0, lockMilliseconds: 0 };
  return {
    overtaken: () => {
      counts.overtaken += 1;
      contention = lockedCommits;
    },
    isWanted: () => contention > 0 && lockedAt === undefined,
    isHeld: () => lockedAt !== undefined,
    // The lock lasts at least this long.
    isSure: () => lockedAt !== undefined && monotonic() - lockedAt < lockMilliseconds / 3,
    isDue: () => lockedAt !== undefined && monotonic() - lockedAt > lockedMilliseconds,
    take: async () => {
      counts.locks += 1;
      const asked = monotonic();
      const end = await journal.lock().finally(() => {
        counts.lockMilliseconds += monotonic() - asked;
      });
      lockedAt = monotonic();
      contention -= 1;
      return end;
    },
    release: async () => {
      if (lockedAt === undefined) return;
      lockedAt = undefined;
      await journal.unlock().catch(() => undefined); // it ends by itself
    },
    ended: () => {
      lockedAt = undefined;
    },
    counts: () => counts,
  };
}
