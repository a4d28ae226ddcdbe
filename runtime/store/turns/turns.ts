/**
 * Turns run one after the other in memory, ahead of the log; `commits.ts` makes them durable and lets them be answered. A turn whose work had no
 * effect, because its commit failed and was healed or others appended first, runs again in its old place.
 *
 * On a log that other processes append to as well, their entries are taken in between turns, and a process that they overtook takes the lock of
 * the log for a while.
 */
import { fail } from '../../../language/failure/failure.ts';
import type { JournalEnd, Network, Trouble } from '../journal.ts';
import type { QueryAhead, Sharing, StoreFollower, StorePosition, Turn, TurnKind } from './turn.ts';
import { createCommits, Lost, type CommitsOptions } from './commits.ts';
import { createEndQuestion } from './end-question.ts';
import { followOthers } from './follow-others.ts';
import { failureOf, heals, messageOf, refusedWrite } from '../journal/log-failures.ts';
import { createLogLock } from './log-lock.ts';
import { openTurn, type OpenTurn } from './open-turn.ts';
import { createReaders } from './readers.ts';
import { catchUp } from './catch-up.ts';
import { createTurnQueue } from './turn-queue.ts';

export interface TurnsOptions extends Pick<
  CommitsOptions,
  'journal' | 'ledger' | 'end' | 'shared' | 'newBatch' | 'onDurable' | 'onTakenBack' | 'log'
> {
  /** Milliseconds on a clock that never decreases. */
  readonly monotonic: () => number;
  readonly queryAhead: QueryAhead;
  readonly unreadable: Turn['unreadable'];
  /** Why nothing may be appended now, although the log works. */
  readonly full: () => string | undefined;
}

/** The end of the log: what this process knows of it, and the turns that append there. */
export interface Turns {
  /**
   * Runs `work` alone: between its first read and its last append nothing else is appended. Resolves with its result
   * only when all that it appended is durable; rejects with a `Failure` of kind `store` ("outcome unknown") when that
   * failed, and then none of it is visible. When `work` itself throws, nothing it appended is kept.
   *
   * When others append to the same log, `work` may run several times, each time on what the log has then; only the last
   * run has an effect. Even if it appended nothing, the log ended where it decided, at some moment after this call. With
   * kind `reads` it runs once and appends nothing, and others may append meanwhile.
   */
  readonly exclusively: <T>(work: (turn: Turn) => Promise<T> | T, kind?: TurnKind) => Promise<T>;
  /**
   * The durable end as far as this process knows it, at once. When others append to the same log it can be behind the
   * end.
   */
  readonly position: () => StorePosition;
  /** The seq of the stream's last event up to `position`, 0 when it has none. */
  readonly head: (streamType: string, streamId: string) => number | Promise<number>;
  /**
   * The durable end at some moment after the call: it covers everything that was reported as durable before the call.
   * Rejects with an R0413 while the log is away.
   */
  readonly fresh: (signal?: AbortSignal) => Promise<StorePosition>;
  /**
   * Resolves when this process has that entry, which another process may not have appended yet. Rejects with R0303 once
   * the signal is aborted.
   */
  readonly reach: (entry: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds since `position` was the end of the log for sure; 0 where no other process appends. */
  readonly lag: () => number;
  /** Counts of this process since it opened a log that others append to; undefined where no other process appends. */
  readonly sharing: () => Sharing | undefined;
  /**
   * From now on this follower gets the entries that others append, and they are taken in. Without one a store on a
   * log of several processes stays at the entries that it had when it was opened.
   */
  readonly attach: (follower: StoreFollower) => void;
  /** Why no write is accepted and whether that may pass by itself, or undefined when writes are accepted. */
  readonly refusesWrites: () => Trouble | undefined;
  /** Why no read is answered: the log has something that this process cannot follow. */
  readonly refusesReads: () => Trouble | undefined;
}

export interface OwnedTurns extends Turns {
  /** The entries of other processes are taken in. */
  readonly followsOthers: () => boolean;
  /** Resolves when no turn runs and everything is durable; later turns fail. */
  readonly close: () => Promise<void>;
}

/** Number of times that a turn runs again because others appended, before it is refused. The lock makes more than a few improbable. */
const mostRuns = 16;

/** Counts of a log in the memory of this process. */
const inProcess: Network = { roundTrips: 0, connections: undefined, aheadMilliseconds: 0, isReplica: false };

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

export function createTurns(options: TurnsOptions): OwnedTurns {
  const { journal, ledger, shared, monotonic } = options;
  const askEnd = createEndQuestion(journal);
  const readers = createReaders();
  const lock = createLogLock(journal, monotonic);
  let follower: StoreFollower | undefined;
  const commits = createCommits({
    ...options,
    lock,
    readers,
    follower: () => follower,
    askEnd,
    onBehind: () => wake(),
  });
  /** Set when this process cannot continue with the entries of others: it has no truth to show. */
  let lostTrack: Trouble | undefined;
  /** The value of `resets` when the last turn that followed one began. */
  let resetsSeen = 0;
  /** The time of the last question for the end whose answer was reached. */
  let reachedAt = monotonic();
  let closed = false;

  const queue = createTurnQueue<Queued>();
  let orders = 0;
  let running: Promise<void> | undefined;
  /** There may be work that a run did not see. */
  let wokenAgain = false;

  const durableEntry = (): number => commits.position().entry;
  const refusal = (): Trouble | undefined => commits.trouble() ?? journal.trouble() ?? full();
  const full = (): Trouble | undefined => {
    const reason = options.full();
    return reason === undefined ? undefined : { reason, heals: false };
  };

  const createTurn = (): OpenTurn => {
    const begun = commits.resets();
    return openTurn({
      journal,
      ledger,
      shared,
      ahead: commits.ahead,
      durableEntry,
      queryAhead: options.queryAhead,
      unreadable: options.unreadable,
      refusal,
      check: () => {
        if (begun !== commits.resets()) throw commits.resetFailure();
      },
    });
  };

  /** Nothing is decided on entries that may have to be taken back. */
  const run = async <T>(work: (turn: Turn) => Promise<T> | T, kind: TurnKind): Promise<Ended<T>> => {
    const trouble = lostTrack ?? commits.unsettled();
    if (trouble !== undefined) throw refusedWrite(trouble);
    const before = ledger.entry();
    const begun = commits.resets();
    const { turn, end: endTurn } = createTurn();
    try {
      const result = await work(turn);
      if (begun !== commits.resets()) throw commits.resetFailure();
      // Before anything else happens: a commit that fails must find the callers that wait for it.
      return { result, durable: commits.untilDurable(before, kind) };
    } catch (error) {
      if (begun !== commits.resets()) throw commits.resetFailure();
      commits.takeBack(before);
      throw error;
    } finally {
      endTurn();
    }
  };

  const isBehind = (): boolean => follower !== undefined && commits.isBehind();

  /** Before a turn: takes in what others appended, and takes the lock when they were faster. */
  const keepUp = async (): Promise<void> => {
    if (commits.unsettled() !== undefined || lostTrack !== undefined) return;
    const wantsLock = (): boolean => lock.isWanted() && !commits.hasFailed() && queue.first()?.kind === 'decides';
    if (!wantsLock() && !isBehind()) return;
    await commits.quiet();
    if (resetsSeen !== commits.resets()) {
      resetsSeen = commits.resets();
      // Turns that were lost are back in the queue after this, before later ones.
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (commits.unsettled() !== undefined) return;
    const parts = { journal, ledger, commits, follower: () => follower, onEndGone: endIsGone };
    if (wantsLock()) await catchUp(parts, await lock.take());
    else if (isBehind()) await catchUp(parts, await askEnd());
  };

  const loseTrack = (reason: string): Trouble => {
    lostTrack = { reason, heals: false };
    commits.stop(lostTrack);
    options.log('error', reason);
    readers.fail(refusedWrite(lostTrack));
    return lostTrack;
  };
  const endIsGone = ({ entry }: JournalEnd): Trouble =>
    loseTrack(
      `the log ends at entry ${entry}, and this server has entries up to ${durableEntry()}: acknowledged entries are gone`,
    );

  const hasWork = (): boolean =>
    queue.first() !== undefined || (isBehind() && lostTrack === undefined && commits.unsettled() === undefined);

  /** Runs the waiting turns, one after the other. */
  const runAll = async (): Promise<void> => {
    wokenAgain = false;
    while (hasWork()) {
      if (shared) {
        try {
          await keepUp();
        } catch (error) {
          await lock.release();
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
      if (lock.isHeld() && endsLock(next)) {
        await commits.quiet();
        await lock.release(); // a turn that failed had nothing to commit
      }
    }
  };
  const endsLock = (last: Queued): boolean =>
    queue.first()?.kind !== 'decides' || last.kind !== 'decides' || lock.isDue();

  const wake = (): void => {
    wokenAgain = true;
    running ??= Promise.resolve()
      .then(runAll)
      .finally(() => {
        running = undefined;
        if (wokenAgain && hasWork()) wake();
      });
  };

  /** Runs the work once, when its turn comes. */
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
    if (entry > durableEntry()) await readers.wait(entry, signal);
  };

  const fresh = async (signal?: AbortSignal): Promise<StorePosition> => {
    if (lostTrack !== undefined) throw refusedWrite(lostTrack);
    const asked = monotonic();
    const had = durableEntry();
    let now: JournalEnd;
    try {
      now = await askEnd();
    } catch (error) {
      throw failureOf(error);
    }
    if (shared && follower !== undefined) {
      commits.saw(now.entry);
      if (now.entry < had) throw refusedWrite(endIsGone(now));
      if (isBehind()) wake();
      await until(now.entry, signal);
    }
    reachedAt = Math.max(reachedAt, asked);
    return commits.position();
  };

  /** Before the first event of the stream that is not durable yet; where there is none, its last one. */
  const head = (streamType: string, streamId: string): number => {
    for (const { entry } of commits.ahead()) {
      if (entry.kind !== 'command') continue;
      const next = entry.events.find((event) => event.streamId === streamId && event.streamType === streamType);
      if (next !== undefined) return next.seq - 1;
    }
    return ledger.head(streamType, streamId);
  };

  const isIdle = (): boolean => running === undefined && !commits.isCommitting();
  const stop = new AbortController();
  let following: Promise<void> | undefined;

  return {
    exclusively,
    position: commits.position,
    head,
    fresh,
    reach: async (entry, signal) => {
      if (entry <= durableEntry()) return;
      await fresh(signal);
      await until(entry, signal);
    },
    lag: () => (shared ? monotonic() - reachedAt : 0),
    sharing: () =>
      shared
        ? {
            ...lock.counts(),
            ...(journal.network?.() ?? inProcess),
            lagEntries: Math.max(0, journal.known().entry - durableEntry()),
          }
        : undefined,
    attach: (attached) => {
      follower = attached;
      if (!shared) return;
      commits.saw(journal.known().entry);
      following ??= followOthers({
        journal,
        durableEntry,
        sendingEntry: commits.sendingEntry,
        onOthers: (entry) => {
          commits.saw(entry);
          wake();
        },
        signal: stop.signal,
      });
      if (isBehind()) wake();
    },
    refusesWrites: () => refusal() ?? (closed ? { reason: 'it is closed', heals: false } : undefined),
    refusesReads: () => lostTrack,
    followsOthers: () => shared && follower !== undefined,
    close: async () => {
      closed = true;
      stop.abort();
      for (;;) {
        if (running !== undefined) await running;
        else if (commits.isCommitting()) await commits.quiet();
        else {
          // A turn that was lost is back in the queue after this.
          await new Promise((resolve) => setImmediate(resolve));
          if (isIdle()) break;
        }
      }
      await commits.close();
      readers.fail(fail('R0402', { reason: 'it is closed' }));
      await following;
    },
  };
}
