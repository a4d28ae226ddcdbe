/**
 * Group commits: all turns that have ended when a commit starts share its one batch, and a turn is answered when everything that it read or
 * wrote is durable.
 *
 * When a commit fails, everything that is not durable is taken back before anything else reads it. If the failure does
 * not heal, its callers fail with R0403 and nothing further is appended: a second sync "succeeds" over lost pages, so
 * none is tried. If it heals, no turn runs until the log has reported the outcome of the batch; its callers wait for
 * that, and a turn that was not kept runs again.
 *
 * On a log that other processes append to as well, a commit can also be behind. Then every turn that is not durable runs again once the entries
 * of the others are there (`catch-up.ts`). A turn that appended nothing is answered once the log is known to have ended where it was decided, at
 * some moment after it came.
 */
import type { StoreLog } from '../disk.ts';
import { JournalFailure, type Journal, type JournalEnd, type Trouble } from '../journal.ts';
import { readEntry } from '../read-entry.ts';
import type { StoreFollower, StorePosition, TurnKind } from './turn.ts';
import { groupBytes, groupEnd } from './group-end.ts';
import type { Ledger } from './ledger.ts';
import { failureOf, messageOf, refusedWrite, unknownOutcome } from '../journal/log-failures.ts';
import type { LogLock } from './log-lock.ts';
import type { Pending } from './open-turn.ts';
import type { Readers } from './readers.ts';
import { createSettling } from './settling.ts';

export interface CommitsOptions {
  readonly journal: Journal;
  readonly ledger: Ledger;
  /** The end of the log that the ledger contains. */
  readonly end: JournalEnd;
  /** Other processes append to the same log. */
  readonly shared: boolean;
  /** A batch id that is unique among all processes. */
  readonly newBatch: () => string;
  /** Lines that are durable and in the ledger from now on, from any process. */
  readonly onDurable: (first: number, lines: readonly string[]) => void;
  /** Drops entries that were ahead of the log. */
  readonly onTakenBack: () => void;
  readonly log: StoreLog;
  readonly lock: LogLock;
  readonly readers: Readers;
  readonly follower: () => StoreFollower | undefined;
  readonly askEnd: () => Promise<JournalEnd>;
  /** Others have appended: their entries are to be taken in. */
  readonly onBehind: () => void;
}

export interface Commits {
  /** The last entry and event that are durable. */
  readonly position: () => StorePosition;
  /** Entries after `position().entry`, to which a turn adds its own. */
  readonly ahead: () => Pending[];
  /** The last entry of the batch that is being appended; 0 between batches. */
  readonly sendingEntry: () => number;
  /** Why nothing can be committed now, or ever again. */
  readonly trouble: () => Trouble | undefined;
  /** The outcome of the last batch, if it is unknown. */
  readonly unsettled: () => Trouble | undefined;
  /** No further append is possible. */
  readonly hasFailed: () => boolean;
  readonly stop: (trouble: Trouble) => void;
  /** Number of times that everything ahead was taken back: a turn from before must not continue, and fails with `resetFailure`. */
  readonly resets: () => number;
  readonly resetFailure: () => Error;
  /** Takes back what a turn has appended after this entry. */
  readonly takeBack: (kept: number) => void;
  /** Records the end of a turn that began after this entry; resolves when everything it read or wrote is durable. */
  readonly untilDurable: (before: number, kind: TurnKind) => Promise<void>;
  /** Resolves when nothing is being sent, and nothing waits to be. */
  readonly quiet: () => Promise<void>;
  readonly isCommitting: () => boolean;
  /** The log is known to have this entry. */
  readonly saw: (entry: number) => void;
  /** The log has entries that are not here. */
  readonly isBehind: () => boolean;
  /** The log ends elsewhere than was believed, until `caughtUp`. */
  readonly endMoved: () => void;
  /** Records these entries as durable. */
  readonly advance: (to: StorePosition, batch: string, kept: readonly Pending[]) => void;
  readonly caughtUp: (end: JournalEnd) => void;
  readonly close: () => Promise<void>;
}

/** The work of this turn had no effect; it can run again. */
export class Lost extends Error {}

/** A turn that has ended and is not durable, or not proven to have seen the end of the log. */
interface Waiter {
  /** The last entry that it read or wrote. */
  readonly entry: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  /** True if something was sent to the log after this turn ended, which covers the turn if it succeeds. */
  sent: boolean;
}

export function createCommits(options: CommitsOptions): Commits {
  const { journal, ledger, shared, lock, readers, follower, askEnd, onBehind } = options;
  let durable: StorePosition = ledger.position();
  /** The log's end at `durable`. */
  let end: JournalEnd = options.end;
  /** Entries after `durable.entry`. */
  let ahead: Pending[] = [];
  /** Last entry and event of each ended turn that is not durable yet. */
  let ended: StorePosition[] = [];
  let waiters: Waiter[] = [];
  let committing: Promise<void> | undefined;
  /** The last entry of the batch that is being appended. */
  let sending = 0;
  /** Set when no further append is possible. */
  let failed: Trouble | undefined;
  /** Set while the outcome of the last batch is unknown. */
  let unsettled: Trouble | undefined;
  let resets = 0;
  /** The failure of a turn that ran meanwhile. */
  let resetFailure: Error = new Lost();
  /** The last entry that the log is known to have. */
  let wanted = durable.entry;
  /** The log ends with another batch than `end`, if possibly at the same entry. */
  let endMoved = false;

  const trouble = (): Trouble | undefined => failed ?? unsettled;

  const takeBack = (kept: number): void => {
    if (ledger.entry() <= kept) return;
    ledger.takeBack(kept);
    const left = Math.max(0, kept - durable.entry);
    const taken = ahead.slice(left).map(({ entry }) => entry);
    ahead = ahead.slice(0, left);
    options.onTakenBack();
    follower()?.takenBack(taken);
  };

  const commitAll = async (): Promise<void> => {
    while (waiters.length > 0 && trouble() === undefined) {
      const went =
        ended.length > 0
          ? await commitGroup(groupEnd(ended, ahead, durable.entry, groupBytes(shared)))
          : await proveEnd();
      if (!went) return;
    }
  };

  const commitGroup = async (to: StorePosition): Promise<boolean> => {
    const sent = ahead.slice(0, to.entry - durable.entry);
    const batch = { after: end, id: options.newBatch(), lines: sent.map(({ line }) => line) };
    markSent(to.entry);
    sending = to.entry;
    try {
      if ((await journal.append(batch)) === 'behind') {
        if (shared) overtaken();
        else giveUp('another process has appended to it');
        return false;
      }
    } catch (error) {
      if (error instanceof JournalFailure && error.heals) suspend(error, batch.id, to, batch.lines);
      else giveUp(messageOf(error));
      return false;
    } finally {
      sending = 0;
      lock.ended();
    }
    ahead = ahead.slice(sent.length);
    ended = ended.filter((turn) => turn.entry > to.entry);
    ledger.confirm(to.entry);
    advance(to, batch.id, sent);
    answer();
    return true;
  };

  /** For turns that appended nothing on a shared log: the end, asked for after they came, must be where they were decided. */
  const proveEnd = async (): Promise<boolean> => {
    if (!shared) throw new Error('a turn waits for an entry that no turn has appended');
    markSent(durable.entry);
    if (lock.isSure()) {
      answer();
      await lock.release();
      return true;
    }
    try {
      const now = await askEnd();
      wanted = Math.max(wanted, now.entry);
      if (now.entry !== durable.entry) {
        overtaken();
        return false;
      }
      end = now;
    } catch (error) {
      const failure = failureOf(error);
      const unproven = waiters.filter(isCovered);
      waiters = waiters.filter((waiter) => !isCovered(waiter));
      for (const { reject } of unproven) reject(failure);
      return true;
    }
    answer();
    return true;
  };

  /** A batch that is sent now covers the turns that have ended with this entry or an earlier one. */
  const markSent = (entry: number): void => {
    for (const waiter of waiters) if (waiter.entry <= entry) waiter.sent = true;
  };

  /** Where no other process appends, a turn that ended while a batch was on its way needs no proof. */
  const isCovered = ({ entry, sent }: Waiter): boolean => (shared ? sent : entry <= durable.entry);

  const answer = (): void => {
    const answered = waiters.filter(isCovered);
    waiters = waiters.filter((waiter) => !isCovered(waiter));
    for (const { resolve } of answered) resolve();
  };

  const advance = (to: StorePosition, batch: string, kept: readonly Pending[]): void => {
    const first = durable.entry + 1;
    durable = to;
    end = { entry: to.entry, batch };
    wanted = Math.max(wanted, to.entry);
    options.onDurable(
      first,
      kept.map(({ line }) => line),
    );
    follower()?.durable(kept.map(({ entry }) => entry));
    readers.reached(to.entry);
  };

  /** Drops everything ahead; gives the callers that waited for it. A turn that runs now fails with this. */
  const reset = (failure: Error): readonly Waiter[] => {
    resets += 1;
    resetFailure = failure;
    takeBack(durable.entry);
    ended = [];
    const lost = waiters;
    waiters = [];
    return lost;
  };

  /** Others appended: everything that is not durable, or was not proven, runs again. */
  const overtaken = (): void => {
    lock.overtaken();
    endMoved = true;
    const lost = new Lost();
    for (const { reject } of reset(lost)) reject(lost);
    onBehind();
  };

  const giveUp = (reason: string): void => {
    failed = { reason: `writing the log failed (${reason}); restart it`, heals: false };
    const unknown = unknownOutcome(failed.reason);
    for (const { reject } of reset(unknown)) reject(unknownOutcome(reason));
  };

  /** Handles a batch with an unknown outcome. Later entries were never sent. */
  const suspend = (failure: JournalFailure, batch: string, to: StorePosition, lines: readonly string[]): void => {
    const away = { reason: `the log is away (${failure.reason}) and is asked for again`, heals: true };
    unsettled = away;
    const lost = reset(refusedWrite(away));
    for (const waiter of lost) if (waiter.entry > to.entry) waiter.reject(refusedWrite(away));
    const asking = lost.filter((waiter) => waiter.entry <= to.entry);
    settling.begin(batch, {
      settled: (outcome, logEnd) => {
        unsettled = undefined;
        if (outcome === 'kept') {
          const kept = lines.map((line) => ({ entry: readEntry(line, journal.holder), line }));
          for (const { entry } of kept) ledger.replay(entry);
          follower()?.appended(kept.map(({ entry }) => entry));
          advance(to, batch, kept);
          for (const { sent, resolve, reject } of asking)
            if (sent || !shared) resolve();
            else reject(new Lost());
        } else for (const { reject } of asking) reject(new Lost());
        if (shared) {
          endMoved = true;
          wanted = Math.max(wanted, logEnd.entry);
          onBehind();
          return;
        }
        end = logEnd;
        if (logEnd.entry !== durable.entry) giveUp('another process has appended to it');
      },
      gaveUp: (reason) => {
        unsettled = undefined;
        giveUp(reason);
        for (const { reject } of asking) reject(unknownOutcome(reason));
      },
      overdue: () => {
        for (const { reject } of asking) reject(unknownOutcome(failure.reason));
      },
    });
  };
  const settling = createSettling(journal, options.log);

  /** After the current round of the event loop, so that turns that arrived together are in one group. */
  const scheduleCommit = (): void => {
    committing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(commitAll).finally(() => {
      committing = undefined;
      if (waiters.length > 0 && trouble() === undefined) scheduleCommit();
    });
  };

  const untilDurable = (before: number, kind: TurnKind): Promise<void> => {
    const entry = ledger.entry();
    if (entry > before) ended.push(ledger.position());
    if (entry <= durable.entry && (!shared || kind === 'reads')) return Promise.resolve();
    const written = new Promise<void>((resolve, reject) => {
      waiters.push({ entry, resolve, reject, sent: false });
    });
    written.catch(() => undefined); // the caller awaits it soon
    scheduleCommit();
    return written;
  };

  const quiet = async (): Promise<void> => {
    while (committing !== undefined) await committing;
  };

  return {
    position: () => durable,
    ahead: () => ahead,
    sendingEntry: () => sending,
    trouble,
    unsettled: () => unsettled,
    hasFailed: () => failed !== undefined,
    stop: (reason) => {
      failed = reason;
    },
    resets: () => resets,
    resetFailure: () => resetFailure,
    takeBack,
    untilDurable,
    quiet,
    isCommitting: () => committing !== undefined,
    saw: (entry) => {
      wanted = Math.max(wanted, entry);
    },
    isBehind: () => endMoved || wanted > durable.entry,
    endMoved: () => {
      endMoved = true;
    },
    advance,
    caughtUp: (to) => {
      end = to;
      endMoved = false;
      wanted = Math.max(wanted, to.entry);
    },
    close: () => settling.close(),
  };
}
