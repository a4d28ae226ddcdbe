/**
 * Turns and group commits: turns run one after the other in memory, ahead of the log; all turns that have ended when a
 * commit starts share its one batch; a turn is answered when everything that it read or wrote is durable.
 *
 * When a commit fails, everything that is not durable is taken back before anything else reads it. If the failure does
 * not heal, its callers fail with R0403 and nothing further is appended: a second sync "succeeds" over lost pages, so
 * none is tried. If it heals, no turn runs until the log has reported the outcome of the batch; its callers wait for
 * that, and a turn that was not kept runs again.
 *
 * On a log that other processes append to as well, a commit can also be behind. Then their entries are taken in, and
 * every turn that is not durable runs again on top of them, in the same order. A turn that appended nothing is answered
 * once the log is known to have ended where it was decided, at some moment after it came.
 */
import { fail } from '../../../language/failure/failure.ts';
import type { StoreLog } from '../disk.ts';
import type { LogEntry } from '../entry.ts';
import { JournalFailure, lockMilliseconds, type Journal, type JournalEnd, type Trouble } from '../journal.ts';
import { readEntry } from '../read-entry.ts';
import type { Sharing, StoreFollower, StorePosition, Turn, TurnKind } from '../store.ts';
import { refusedWrite } from '../refused-write.ts';
import { createEndQuestion } from './end-question.ts';
import { followOthers } from './follow-others.ts';
import { groupEnd } from './group-end.ts';
import type { Ledger } from './ledger.ts';
import { failureOf, heals, messageOf, unknownOutcome } from './log-failures.ts';
import { openTurn, type OpenTurn, type Pending, type QueryAhead } from './open-turn.ts';
import { createReaders } from './readers.ts';
import { createSettling } from './settling.ts';
import { createTurnQueue } from './turn-queue.ts';

export interface TurnsOptions {
  readonly journal: Journal;
  readonly ledger: Ledger;
  /** The end of the log that the ledger contains. */
  readonly end: JournalEnd;
  /** Other processes append to the same log. */
  readonly shared: boolean;
  /** A batch id that is unique among all processes. */
  readonly newBatch: () => string;
  /** Milliseconds on a clock that never decreases. */
  readonly monotonic: () => number;
  readonly queryAhead: QueryAhead;
  /** Lines that are durable and in the ledger from now on, from any process. */
  readonly onDurable: (first: number, lines: readonly string[]) => void;
  /** Drops entries that were ahead of the log. */
  readonly onTakenBack: () => void;
  /** Why nothing may be appended now, although the log works. */
  readonly full: () => string | undefined;
  readonly log: StoreLog;
}

export interface Turns {
  readonly exclusively: <T>(work: (turn: Turn) => Promise<T> | T, kind?: TurnKind) => Promise<T>;
  readonly position: () => StorePosition;
  /** As `Store.freshPosition`. */
  readonly fresh: (signal?: AbortSignal) => Promise<StorePosition>;
  /** As `Store.reach`. */
  readonly reach: (entry: number, signal: AbortSignal) => Promise<void>;
  /** As `Store.lag`. */
  readonly lag: () => number;
  /** As `Store.sharing`. */
  readonly sharing: () => Sharing | undefined;
  /** As `Store.attach`. */
  readonly attach: (follower: StoreFollower) => void;
  readonly refusesWrites: () => Trouble | undefined;
  readonly refusesReads: () => Trouble | undefined;
  /** Resolves when no turn runs and everything is durable; later turns fail. */
  readonly close: () => Promise<void>;
}

/** How often a turn runs again because others appended, before it is refused. The lock makes more than a few improbable. */
const mostRuns = 16;
/** Commits with the lock after a process was overtaken; then it tries without again. */
const lockedCommits = 20;
/** Turns that begin later than this after the lock was taken wait for the next one: all other processes wait meanwhile. */
const lockedMilliseconds = 300;

/** A turn that has ended and is not durable, or not proven to have seen the end of the log. */
interface Waiter {
  /** The last entry that it read or wrote. */
  readonly entry: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  /** What was sent to the log after this turn ended covers it, if it succeeds. */
  sent: boolean;
}

interface Queued {
  readonly order: number;
  readonly kind: TurnKind;
  readonly run: () => Promise<void>;
  readonly refuse: (error: Error) => void;
}

/** A turn that has ended: its result, and a promise that everything it read or wrote is durable. */
interface Ended<T> {
  readonly result: T;
  readonly durable: Promise<void>;
}

/** The work of this turn had no effect; it can run again. */
class Lost extends Error {}

export function createTurns(options: TurnsOptions): Turns {
  const { journal, ledger, shared, monotonic } = options;
  const askEnd = createEndQuestion(journal);
  const readers = createReaders();
  let follower: StoreFollower | undefined;
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
  /** Set when this process cannot continue with the entries of others: it has no truth to show. */
  let lostTrack: Trouble | undefined;
  /** Set while the outcome of the last batch is unknown. */
  let unsettled: Trouble | undefined;
  /** How often everything ahead was taken back: a turn from before must not continue. */
  let resets = 0;
  /** The failure of a turn that ran meanwhile. */
  let resetFailure: Error = new Lost();
  /** The value of `resets` when the last turn that followed one began. */
  let resetsSeen = 0;
  /** The last entry that the log is known to have. */
  let wanted = durable.entry;
  /** The log ends with another batch than `end`, if possibly at the same entry. */
  let endMoved = false;
  /** Further commits that take the lock first. */
  let contention = 0;
  /** The time at which the lock was taken, while it is. */
  let lockedAt: number | undefined;
  const counts = { overtaken: 0, locks: 0 };
  /** The time of the last question for the end whose answer was reached. */
  let reachedAt = monotonic();
  let closed = false;

  const queue = createTurnQueue<Queued>();
  let orders = 0;
  let running: Promise<void> | undefined;
  /** There may be work that a run did not see. */
  let wokenAgain = false;

  const refusal = (): Trouble | undefined => failed ?? unsettled ?? journal.trouble() ?? full();
  const full = (): Trouble | undefined => {
    const reason = options.full();
    return reason === undefined ? undefined : { reason, heals: false };
  };
  const isUnsettled = (): boolean => unsettled !== undefined;
  const refusesCommits = (): Trouble | undefined => failed ?? unsettled;

  const createTurn = (): OpenTurn => {
    const begun = resets;
    return openTurn({
      journal,
      ledger,
      ahead: () => ahead,
      durableEntry: () => durable.entry,
      queryAhead: options.queryAhead,
      refusal,
      check: () => {
        if (begun !== resets) throw resetFailure;
      },
    });
  };

  /** Nothing is decided on entries that may have to be taken back. */
  const run = async <T>(work: (turn: Turn) => Promise<T> | T, kind: TurnKind): Promise<Ended<T>> => {
    const trouble = lostTrack ?? unsettled;
    if (trouble !== undefined) throw refusedWrite(trouble);
    const before = ledger.entry();
    const begun = resets;
    const { turn, end: endTurn } = createTurn();
    try {
      const result = await work(turn);
      if (begun !== resets) throw resetFailure;
      const entry = ledger.entry();
      if (entry > before) ended.push(ledger.position());
      // Before anything else happens: a commit that fails must find the callers that wait for it.
      return { result, durable: untilDurable(entry, kind) };
    } catch (error) {
      if (begun !== resets) throw resetFailure;
      takeBack(before);
      throw error;
    } finally {
      endTurn();
    }
  };

  const takeBack = (kept: number): void => {
    if (ledger.entry() <= kept) return;
    ledger.takeBack(kept);
    const left = Math.max(0, kept - durable.entry);
    const taken = ahead.slice(left).map(({ entry }) => entry);
    ahead = ahead.slice(0, left);
    options.onTakenBack();
    follower?.takenBack(taken);
  };

  const commitAll = async (): Promise<void> => {
    while (waiters.length > 0 && refusesCommits() === undefined) {
      const went = ended.length > 0 ? await commitGroup(groupEnd(ended, ahead, durable.entry)) : await proveEnd();
      if (!went) return;
    }
  };

  const commitGroup = async (to: StorePosition): Promise<boolean> => {
    const lines = ahead.slice(0, to.entry - durable.entry).map(({ line }) => line);
    const batch = { after: end, id: options.newBatch(), lines };
    markSent(to.entry);
    sending = to.entry;
    try {
      if ((await journal.append(batch)) === 'behind') {
        if (shared) overtaken();
        else giveUp('another process has appended to it');
        return false;
      }
    } catch (error) {
      if (error instanceof JournalFailure && error.heals) suspend(error, batch.id, to, lines);
      else giveUp(messageOf(error));
      return false;
    } finally {
      sending = 0;
      lockedAt = undefined; // an append ends a lock
    }
    ahead = ahead.slice(lines.length);
    ended = ended.filter((turn) => turn.entry > to.entry);
    ledger.confirm(to.entry);
    advance(to, batch.id, lines);
    answer();
    return true;
  };

  /** For turns that appended nothing on a shared log: the end, asked for after they came, must be where they were decided. */
  const proveEnd = async (): Promise<boolean> => {
    if (!shared) throw new Error('a turn waits for an entry that no turn has appended');
    markSent(durable.entry);
    // Others cannot have appended while this process has the lock, which lasts at least this long.
    if (lockedAt !== undefined && monotonic() - lockedAt < lockMilliseconds / 3) {
      answer();
      await unlock();
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

  /** What is sent now covers the turns that have ended with this entry or an earlier one. */
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

  /** Records these lines as durable. */
  const advance = (to: StorePosition, batch: string, lines: readonly string[]): void => {
    const first = durable.entry + 1;
    durable = to;
    end = { entry: to.entry, batch };
    wanted = Math.max(wanted, to.entry);
    options.onDurable(first, lines);
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
    counts.overtaken += 1;
    endMoved = true;
    contention = lockedCommits;
    const lost = new Lost();
    for (const { reject } of reset(lost)) reject(lost);
    wake();
  };

  const giveUp = (reason: string): void => {
    failed = { reason: `writing the log failed (${reason}); restart it`, heals: false };
    const unknown = unknownOutcome(failed.reason);
    for (const { reject } of reset(unknown)) reject(unknownOutcome(reason));
  };

  /** Handles a batch with an unknown outcome. Later entries were never sent. */
  const suspend = (failure: JournalFailure, batch: string, to: StorePosition, lines: readonly string[]): void => {
    const trouble = { reason: `the log is away (${failure.reason}) and is asked for again`, heals: true };
    unsettled = trouble;
    const lost = reset(refusedWrite(trouble));
    for (const waiter of lost) if (waiter.entry > to.entry) waiter.reject(refusedWrite(trouble));
    const asking = lost.filter((waiter) => waiter.entry <= to.entry);
    settling.begin(batch, {
      settled: (outcome, logEnd) => {
        unsettled = undefined;
        if (outcome === 'kept') {
          const entries = lines.map((line) => readEntry(line, journal.holder));
          for (const entry of entries) ledger.replay(entry);
          follower?.appended(entries);
          advance(to, batch, lines);
          for (const { sent, resolve, reject } of asking)
            if (sent || !shared) resolve();
            else reject(new Lost());
        } else for (const { reject } of asking) reject(new Lost());
        if (shared) {
          endMoved = true;
          wanted = Math.max(wanted, logEnd.entry);
          wake();
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
      if (waiters.length > 0 && refusesCommits() === undefined) scheduleCommit();
    });
  };

  const untilDurable = (entry: number, kind: TurnKind): Promise<void> => {
    if (entry <= durable.entry && (!shared || kind === 'reads')) return Promise.resolve();
    const written = new Promise<void>((resolve, reject) => {
      waiters.push({ entry, resolve, reject, sent: false });
    });
    written.catch(() => undefined); // the caller awaits it soon
    scheduleCommit();
    return written;
  };

  /** Resolves when nothing is being sent, and nothing waits to be. */
  const quiet = async (): Promise<void> => {
    while (committing !== undefined) await committing;
  };

  const unlock = async (): Promise<void> => {
    if (lockedAt === undefined) return;
    lockedAt = undefined;
    await journal.unlock().catch(() => undefined); // it ends by itself
  };

  const isBehind = (): boolean => follower !== undefined && (endMoved || wanted > durable.entry);

  /** Before a turn: takes in what others appended, and takes the lock when they were faster. */
  const keepUp = async (): Promise<void> => {
    if (unsettled !== undefined || lostTrack !== undefined) return;
    const isContended = (): boolean =>
      contention > 0 && failed === undefined && lockedAt === undefined && queue.first()?.kind === 'decides';
    if (!isContended() && !isBehind()) return;
    await quiet();
    if (resetsSeen !== resets) {
      resetsSeen = resets;
      // Turns that were lost are back in the queue after this, before later ones.
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (isUnsettled()) return;
    if (isContended()) {
      counts.locks += 1;
      const now = await journal.lock();
      lockedAt = monotonic();
      contention -= 1;
      await takeIn(now);
    } else if (isBehind()) await takeIn(await askEnd());
  };

  /** Takes in the entries of others up to this end. Nothing is ahead, and no turn runs. */
  const takeIn = async (to: JournalEnd): Promise<void> => {
    if (to.entry < durable.entry) {
      endIsGone(to);
      return;
    }
    endMoved = true; // until all of it is there
    if (to.entry > durable.entry) {
      for await (const lines of journal.read(durable.entry + 1, to.entry)) await takeLines(lines);
    }
    end = to;
    endMoved = false;
    wanted = Math.max(wanted, to.entry);
  };

  /** A schema entry is in force before anything after it is taken in, and before a reader learns of it. */
  const takeLines = async (lines: readonly string[]): Promise<void> => {
    let taken: string[] = [];
    let entries: LogEntry[] = [];
    const settle = (): void => {
      if (taken.length === 0) return;
      follower?.appended(entries);
      advance(ledger.position(), '', taken);
      [taken, entries] = [[], []];
    };
    for (const line of lines) {
      const entry = readEntry(line, journal.holder);
      if (entry.kind === 'schema') settle();
      // It is there if the adoption of this schema entry failed before.
      if (entry.number > ledger.entry()) ledger.replay(entry);
      taken.push(line);
      entries.push(entry);
      if (entry.kind !== 'schema') continue;
      await follower?.adopt(entry);
      settle();
    }
    settle();
  };

  const loseTrack = (reason: string): Trouble => {
    lostTrack = { reason, heals: false };
    failed = lostTrack;
    options.log('error', reason);
    readers.fail(refusedWrite(lostTrack));
    return lostTrack;
  };
  const endIsGone = ({ entry }: JournalEnd): Trouble =>
    loseTrack(
      `the log ends at entry ${entry}, and this server has entries up to ${durable.entry}: acknowledged entries are gone`,
    );

  const hasWork = (): boolean =>
    queue.first() !== undefined || (isBehind() && lostTrack === undefined && unsettled === undefined);

  /** Runs the waiting turns, one after the other. */
  const runAll = async (): Promise<void> => {
    wokenAgain = false;
    while (hasWork()) {
      if (shared) {
        try {
          await keepUp();
        } catch (error) {
          await unlock();
          if (!heals(error)) loseTrack(messageOf(error));
          const failure = failureOf(error);
          readers.fail(failure);
          const refused = queue.take();
          if (refused === undefined) return;
          refused.refuse(failure);
          continue;
        }
      }
      const next = queue.take();
      if (next === undefined) continue;
      await next.run();
      if (lockedAt !== undefined && endsLock(next)) {
        await quiet();
        await unlock(); // a turn that failed had nothing to commit
      }
    }
  };
  const endsLock = (last: Queued): boolean =>
    queue.first()?.kind !== 'decides' || last.kind !== 'decides' || monotonic() - (lockedAt ?? 0) > lockedMilliseconds;

  const wake = (): void => {
    wokenAgain = true;
    running ??= Promise.resolve()
      .then(runAll)
      .finally(() => {
        running = undefined;
        if (wokenAgain && hasWork()) wake();
      });
  };

  /** One run of the work, when its turn comes. */
  const inOrder = <T>(order: number, kind: TurnKind, work: (turn: Turn) => Promise<T> | T): Promise<Ended<T>> =>
    new Promise((resolve, reject) => {
      queue.add({ order, kind, run: () => run(work, kind).then(resolve, reject), refuse: reject });
      wake();
    });

  const exclusively = async <T>(work: (turn: Turn) => Promise<T> | T, kind: TurnKind = 'decides'): Promise<T> => {
    if (closed) throw fail('R0402', { reason: 'it is closed' });
    const order = ++orders;
    for (let runs = 1; ; runs += 1) {
      try {
        const { result, durable: kept } = await inOrder(order, kind, work);
        await kept;
        return result;
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
        if (kind === 'reads' || runs === mostRuns)
          throw refusedWrite({ reason: 'other servers appended meanwhile', heals: true });
      }
    }
  };

  const until = async (entry: number, signal: AbortSignal | undefined): Promise<void> => {
    if (lostTrack !== undefined) throw refusedWrite(lostTrack);
    if (entry > durable.entry) await readers.wait(entry, signal);
  };

  const fresh = async (signal?: AbortSignal): Promise<StorePosition> => {
    if (lostTrack !== undefined) throw refusedWrite(lostTrack);
    const asked = monotonic();
    const had = durable.entry;
    let now: JournalEnd;
    try {
      now = await askEnd();
    } catch (error) {
      throw failureOf(error);
    }
    if (shared && follower !== undefined) {
      wanted = Math.max(wanted, now.entry);
      if (now.entry < had) throw refusedWrite(endIsGone(now));
      if (isBehind()) wake();
      await until(now.entry, signal);
    }
    reachedAt = Math.max(reachedAt, asked);
    return durable;
  };

  const isIdle = (): boolean => running === undefined && committing === undefined;
  const stop = new AbortController();
  let following: Promise<void> | undefined;

  return {
    exclusively,
    position: () => durable,
    fresh,
    reach: async (entry, signal) => {
      if (entry <= durable.entry) return;
      await fresh(signal);
      await until(entry, signal);
    },
    lag: () => (shared ? monotonic() - reachedAt : 0),
    sharing: () => (shared ? { ...counts, roundTrips: journal.roundTrips?.() ?? 0 } : undefined),
    attach: (attached) => {
      follower = attached;
      if (!shared) return;
      wanted = Math.max(wanted, journal.known().entry);
      following ??= followOthers({
        journal,
        durableEntry: () => durable.entry,
        sendingEntry: () => sending,
        onOthers: (entry) => {
          wanted = Math.max(wanted, entry);
          wake();
        },
        signal: stop.signal,
      });
      if (isBehind()) wake();
    },
    refusesWrites: () => refusal() ?? (closed ? { reason: 'it is closed', heals: false } : undefined),
    refusesReads: () => lostTrack,
    close: async () => {
      closed = true;
      stop.abort();
      for (;;) {
        if (running !== undefined) await running;
        else if (committing !== undefined) await committing;
        else {
          // A turn that was lost is back in the queue after this.
          await new Promise((resolve) => setImmediate(resolve));
          if (isIdle()) break;
        }
      }
      await settling.close();
      readers.fail(fail('R0402', { reason: 'it is closed' }));
      await following;
    },
  };
}
