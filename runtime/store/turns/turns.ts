/**
 * Turns and group commits: turns run one after the other in memory, ahead of the disk; all turns that have ended when a
 * commit starts share its one frame, one write, one sync; a turn is answered when everything that it read or wrote is
 * durable.
 *
 * When a commit fails, everything that is not durable is taken back before anything else reads it. If the failure does
 * not heal, its callers fail with R0403 and nothing further is appended: a second sync "succeeds" over lost pages, so
 * none is tried. If it heals, no turn runs until the log has reported the outcome of the batch; its callers wait for
 * that, and writes are accepted again.
 */
import type { CompiledQuery } from '../../../language/contract/query.ts';
import { fail } from '../../../language/failure/failure.ts';
import type { Value } from '../../../language/values/type.ts';
import type { StoreLog } from '../disk.ts';
import type { CommandEntry, LogEntry } from '../entry.ts';
import { JournalFailure, type Journal, type JournalEnd, type Trouble } from '../journal.ts';
import { encodeLine } from '../line.ts';
import { readEntry } from '../read-entry.ts';
import type { QueryOptions, Row, StorePosition, Turn } from '../store.ts';
import type { Ledger } from './ledger.ts';
import { refusedWrite } from '../refused-write.ts';
import { createSettling } from './settling.ts';

/** Entries that are in memory only, oldest first; the first one has number `first`. */
export interface Ahead {
  readonly first: number;
  readonly lines: readonly string[];
}

export interface TurnsOptions {
  readonly journal: Journal;
  readonly ledger: Ledger;
  /** A batch id that is unique among all processes. */
  readonly newBatch: () => string;
  /** Runs a query on the durable state and these entries on top. */
  readonly queryAhead: (
    ahead: Ahead,
    query: CompiledQuery,
    parameters: readonly Value[],
    options: QueryOptions | undefined,
  ) => Promise<readonly Row[]>;
  /** Lines that have just become durable. */
  readonly onDurable: (first: number, lines: readonly string[]) => void;
  /** Drops entries that were ahead of the disk. */
  readonly onTakenBack: () => void;
  /** Why nothing may be appended now, although the log works. */
  readonly full: () => string | undefined;
  readonly log: StoreLog;
}

export interface Turns {
  readonly exclusively: <T>(work: (turn: Turn) => Promise<T> | T) => Promise<T>;
  readonly position: () => StorePosition;
  readonly refusesWrites: () => Trouble | undefined;
  /** Resolves when no turn runs and everything is durable; later turns fail. */
  readonly close: () => Promise<void>;
}

/** A frame of this size gets no further turns. */
const groupBytes = 8 * 1024 * 1024;

interface Waiter {
  readonly entry: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A turn that has ended: its result, and a promise that everything it read or wrote is durable. */
interface Ended<T> {
  readonly result: T;
  readonly durable: Promise<void>;
}

export function createTurns(options: TurnsOptions): Turns {
  const { journal, ledger } = options;
  let durable: StorePosition = ledger.position();
  /** The log's end at `durable`. */
  let end: JournalEnd = journal.known();
  /** Entries after `durable.entry`. */
  let ahead: { readonly entry: LogEntry; readonly line: string }[] = [];
  /** Last entry and event of each ended turn that is not durable yet. */
  let ended: StorePosition[] = [];
  let waiters: Waiter[] = [];
  let committing: Promise<void> | undefined;
  /** Set when no further append is possible. */
  let failed: Trouble | undefined;
  /** Set while the outcome of the last batch is unknown. */
  let unsettled: Trouble | undefined;
  /** How often everything ahead was taken back, and why: a turn from before must not continue. */
  let resets = 0;
  let lastReset: Trouble = { reason: '', heals: true };
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();

  const refusal = (): Trouble | undefined => failed ?? unsettled ?? journal.trouble() ?? full();
  const full = (): Trouble | undefined => {
    const reason = options.full();
    return reason === undefined ? undefined : { reason, heals: false };
  };

  const read = async (number: number): Promise<LogEntry | undefined> => {
    if (number > durable.entry) return ahead[number - durable.entry - 1]?.entry;
    for await (const lines of journal.read(number, number)) {
      if (lines[0] !== undefined) return readEntry(lines[0], journal.holder);
    }
    return undefined;
  };

  const recorded = async (
    candidates: readonly number[],
    streamType: string,
    streamId: string,
    commandId: string,
  ): Promise<CommandEntry | undefined> => {
    for (const number of candidates) {
      const entry = await read(number);
      if (entry?.kind !== 'command' || entry.commandId !== commandId) continue;
      if (entry.streamType === streamType && entry.streamId === streamId) return entry;
    }
    return undefined;
  };

  const createTurn = (): { readonly turn: Turn; readonly end: () => void } => {
    let open = true;
    let size = 0;
    const begun = resets;
    const check = (): void => {
      if (!open) throw new Error('a turn was used after its end');
      if (begun !== resets) throw overtaken();
    };
    const turn: Turn = {
      resets: begun,
      head: (streamType, streamId) => {
        check();
        return ledger.head(streamType, streamId);
      },
      recorded: (streamType, streamId, commandId) => {
        check();
        const candidates = ledger.candidates(streamType, streamId, commandId);
        return candidates.length === 0 ? undefined : recorded(candidates, streamType, streamId, commandId);
      },
      query: (query, parameters, asking) => {
        check();
        const first = durable.entry + 1;
        return options.queryAhead({ first, lines: ahead.map(({ line }) => line) }, query, parameters, asking);
      },
      nextPosition: () => {
        check();
        return ledger.event() + 1;
      },
      size: () => size,
      append: (body, at) => {
        check();
        const trouble = refusal();
        if (trouble !== undefined) throw refusedWrite(trouble);
        const before = ledger.entry();
        const entry = ledger.append(body, at);
        try {
          const line = encodeLine(entry);
          ahead.push({ entry, line });
          size += line.length;
        } catch (error) {
          // Too long for a string: it is dropped, and the turn's next append gets its number.
          ledger.takeBack(before);
          throw error;
        }
        return entry;
      },
    };
    return {
      turn,
      end: () => {
        open = false;
      },
    };
  };

  /** The failure of a turn whose entries were taken back while it ran. */
  const overtaken = (): Error => (lastReset.heals ? refusedWrite(lastReset) : unknownOutcome(lastReset.reason));

  /** Nothing is decided on entries that may have to be taken back. */
  const run = async <T>(work: (turn: Turn) => Promise<T> | T): Promise<Ended<T>> => {
    if (unsettled !== undefined) throw refusedWrite(unsettled);
    const before = ledger.entry();
    const begun = resets;
    const { turn, end: endTurn } = createTurn();
    try {
      const result = await work(turn);
      if (begun !== resets) throw overtaken();
      const entry = ledger.entry();
      if (entry > before) ended.push(ledger.position());
      // Before anything else happens: a commit that fails must find the callers that wait for it.
      return { result, durable: untilDurable(entry) };
    } catch (error) {
      if (begun === resets) takeBack(before);
      throw error;
    } finally {
      endTurn();
    }
  };

  const takeBack = (kept: number): void => {
    if (ledger.entry() <= kept) return;
    ledger.takeBack(kept);
    ahead = ahead.slice(0, Math.max(0, kept - durable.entry));
    options.onTakenBack();
  };

  const commitAll = async (): Promise<void> => {
    while (ended.length > 0 && refusesCommits() === undefined) {
      const to = groupEnd(ended, ahead, durable.entry);
      const lines = ahead.slice(0, to.entry - durable.entry).map(({ line }) => line);
      const batch = { after: end, id: options.newBatch(), lines };
      try {
        if ((await journal.append(batch)) === 'behind') {
          giveUp('another process has appended to it');
          return;
        }
      } catch (error) {
        if (error instanceof JournalFailure && error.heals) suspend(error, batch.id, to, lines);
        else giveUp(error instanceof Error ? error.message : String(error));
        return;
      }
      ahead = ahead.slice(lines.length);
      ended = ended.filter((turn) => turn.entry > to.entry);
      ledger.confirm(to.entry);
      advance(to, batch.id, lines);
      const answered = waiters.filter((waiter) => waiter.entry <= to.entry);
      waiters = waiters.filter((waiter) => waiter.entry > to.entry);
      for (const waiter of answered) waiter.resolve();
    }
  };
  const refusesCommits = (): Trouble | undefined => failed ?? unsettled;

  /** Records these lines as durable. */
  const advance = (to: StorePosition, batch: string, lines: readonly string[]): void => {
    const first = durable.entry + 1;
    durable = to;
    end = { entry: to.entry, batch };
    options.onDurable(first, lines);
  };

  /** Drops everything ahead; gives the callers that waited for it. */
  const reset = (why: Trouble): readonly Waiter[] => {
    resets += 1;
    lastReset = why;
    takeBack(durable.entry);
    ended = [];
    const lost = waiters;
    waiters = [];
    return lost;
  };

  const giveUp = (reason: string): void => {
    const why = { reason: `writing the log failed (${reason}); restart it`, heals: false };
    failed = why;
    for (const waiter of reset(why)) waiter.reject(unknownOutcome(reason));
  };

  /** Handles a batch with an unknown outcome. Later entries were never sent. */
  const suspend = (failure: JournalFailure, batch: string, to: StorePosition, lines: readonly string[]): void => {
    const trouble = { reason: `the log is away (${failure.reason}) and is asked for again`, heals: true };
    unsettled = trouble;
    const lost = reset(trouble);
    for (const waiter of lost) if (waiter.entry > to.entry) waiter.reject(refusedWrite(trouble));
    const asking = lost.filter((waiter) => waiter.entry <= to.entry);
    settling.begin(batch, {
      settled: (outcome, logEnd) => {
        unsettled = undefined;
        if (outcome === 'kept') {
          for (const line of lines) ledger.replay(readEntry(line, journal.holder));
          advance(to, batch, lines);
          for (const { resolve } of asking) resolve();
        } else {
          const reason = 'the log was away, and nothing of the command was kept';
          for (const { reject } of asking) reject(refusedWrite({ reason, heals: true }));
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
      if (ended.length > 0 && refusesCommits() === undefined) scheduleCommit();
    });
  };

  const untilDurable = (entry: number): Promise<void> => {
    if (entry <= durable.entry) return Promise.resolve();
    const written = new Promise<void>((resolve, reject) => {
      waiters.push({ entry, resolve, reject });
    });
    written.catch(() => undefined); // the caller awaits it soon
    scheduleCommit();
    return written;
  };

  return {
    exclusively: async (work) => {
      if (closed) throw fail('R0402', { reason: 'it is closed' });
      const turn = last.then(() => run(work));
      last = turn.catch(() => undefined);
      const { result, durable: kept } = await turn;
      await kept;
      return result;
    },
    position: () => durable,
    refusesWrites: () => refusal() ?? (closed ? { reason: 'it is closed', heals: false } : undefined),
    close: async () => {
      closed = true;
      await last;
      while (committing !== undefined || (ended.length > 0 && refusesCommits() === undefined)) {
        scheduleCommit();
        await committing;
      }
      await settling.close();
    },
  };
}

function unknownOutcome(reason: string): Error {
  return fail('R0403', { reason });
}

/** The last turn in the next frame: as many whole turns as fit, at least one. */
function groupEnd(
  ended: readonly StorePosition[],
  ahead: readonly { readonly line: string }[],
  durableEntry: number,
): StorePosition {
  let bytes = 0;
  let counted = 0;
  let end = ended[0] as StorePosition; // the caller passes at least one
  for (const turn of ended) {
    for (; counted < turn.entry - durableEntry; counted += 1) bytes += ahead[counted]?.line.length ?? 0;
    if (bytes > groupBytes && turn !== ended[0]) break;
    end = turn;
  }
  return end;
}
