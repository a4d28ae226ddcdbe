/**
 * Turns and group commits: turns run one after the other in memory, ahead of the disk; every turn that has ended when a commit
 * starts shares its one frame, one write, one sync; a turn is answered when all that it read or wrote is durable.
 *
 * When a commit fails, everything that is not durable is taken back before anything else reads it, its callers fail with R0403,
 * and nothing is appended any more: a second sync "succeeds" over lost pages, so none is tried.
 */
import type { CompiledQuery } from '../../../language/contract/query.ts';
import { fail } from '../../../language/failure/failure.ts';
import type { Value } from '../../../language/values/type.ts';
import type { CommandEntry, LogEntry } from '../entry.ts';
import type { Journal } from '../journal.ts';
import { encodeLine } from '../line.ts';
import { readEntry } from '../read-entry.ts';
import type { QueryOptions, Row, StorePosition, Turn } from '../store.ts';
import type { Ledger } from './ledger.ts';

/** Entries that are in memory only, oldest first, of which the first has number `first`. */
export interface Ahead {
  readonly first: number;
  readonly lines: readonly string[];
}

export interface TurnsOptions {
  readonly journal: Journal;
  readonly ledger: Ledger;
  /** Runs a query on the durable state and these entries on top. */
  readonly queryAhead: (
    ahead: Ahead,
    query: CompiledQuery,
    parameters: readonly Value[],
    options: QueryOptions | undefined,
  ) => Promise<readonly Row[]>;
  /** Lines that have just become durable. */
  readonly onDurable: (first: number, lines: readonly string[]) => void;
  /** Entries that were ahead are no more. */
  readonly onTakenBack: () => void;
  /** Why nothing may be appended now, though the log works. */
  readonly full: () => string | undefined;
}

export interface Turns {
  readonly exclusively: <T>(work: (turn: Turn) => Promise<T> | T) => Promise<T>;
  readonly position: () => StorePosition;
  readonly refusesWrites: () => string | undefined;
  /** Resolves when no turn runs and all is durable; turns that come later fail. */
  readonly close: () => Promise<void>;
}

/** A frame gets no more turns once it is this big. */
const groupBytes = 8 * 1024 * 1024;

interface Waiter {
  readonly entry: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export function createTurns(options: TurnsOptions): Turns {
  const { journal, ledger } = options;
  let durable: StorePosition = ledger.position();
  /** Entries after `durable.entry`. */
  let ahead: { readonly entry: LogEntry; readonly line: string }[] = [];
  /** Last entry and event of each ended turn that is not durable yet. */
  let ended: StorePosition[] = [];
  let waiters: Waiter[] = [];
  let committing: Promise<void> | undefined;
  let failed: string | undefined;
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();

  const refusal = (): string | undefined => failed ?? journal.refusal() ?? options.full();

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
    const check = (): void => {
      if (!open) throw new Error('a turn was used after its end');
    };
    const turn: Turn = {
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
        const reason = refusal();
        if (reason !== undefined) throw fail('R0402', { reason });
        const before = ledger.entry();
        const entry = ledger.append(body, at);
        try {
          const line = encodeLine(entry);
          ahead.push({ entry, line });
          size += line.length;
        } catch (error) {
          // Too long for a string: it is nowhere, and what the turn appends next takes its number.
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

  /** Runs the turn; the entry that its answer waits for. */
  const run = async <T>(work: (turn: Turn) => Promise<T> | T): Promise<{ result: T; entry: number }> => {
    const before = ledger.entry();
    const failedBefore = failed;
    const { turn, end } = createTurn();
    try {
      const result = await work(turn);
      if (failed !== failedBefore) throw fail('R0403', { reason: failed ?? '' });
      const entry = ledger.entry();
      if (entry > before) ended.push(ledger.position());
      return { result, entry };
    } catch (error) {
      takeBack(before);
      throw error;
    } finally {
      end();
    }
  };

  const takeBack = (kept: number): void => {
    if (ledger.entry() <= kept) return;
    ledger.takeBack(kept);
    ahead = ahead.slice(0, Math.max(0, kept - durable.entry));
    options.onTakenBack();
  };

  const commitAll = async (): Promise<void> => {
    while (ended.length > 0 && failed === undefined) {
      const end = groupEnd(ended, ahead, durable.entry);
      const lines = ahead.slice(0, end.entry - durable.entry).map(({ line }) => line);
      try {
        await journal.commit(lines);
      } catch (error) {
        giveUp(error instanceof Error ? error.message : String(error));
        return;
      }
      const first = durable.entry + 1;
      ahead = ahead.slice(lines.length);
      ended = ended.filter((turn) => turn.entry > end.entry);
      durable = end;
      ledger.settle(end.entry);
      options.onDurable(first, lines);
      const answered = waiters.filter((waiter) => waiter.entry <= end.entry);
      waiters = waiters.filter((waiter) => waiter.entry > end.entry);
      for (const waiter of answered) waiter.resolve();
    }
  };

  const giveUp = (reason: string): void => {
    failed = `writing the log failed (${reason}); restart it`;
    takeBack(durable.entry);
    ended = [];
    const lost = waiters;
    waiters = [];
    for (const waiter of lost) waiter.reject(fail('R0403', { reason }));
  };

  /** After the current round of the event loop, so that turns that arrived together are in one group. */
  const scheduleCommit = (): void => {
    committing ??= new Promise<void>((resolve) => setImmediate(resolve)).then(commitAll).finally(() => {
      committing = undefined;
      if (ended.length > 0 && failed === undefined) scheduleCommit();
    });
  };

  const untilDurable = (entry: number): Promise<void> => {
    if (entry <= durable.entry) return Promise.resolve();
    // The commit failed after the turn ended and before its caller came to wait.
    if (failed !== undefined) return Promise.reject(fail('R0403', { reason: failed }));
    return new Promise((resolve, reject) => {
      waiters.push({ entry, resolve, reject });
      scheduleCommit();
    });
  };

  return {
    exclusively: async (work) => {
      if (closed) throw fail('R0402', { reason: 'it is closed' });
      const turn = last.then(() => run(work));
      last = turn.catch(() => undefined);
      const { result, entry } = await turn;
      await untilDurable(entry);
      return result;
    },
    position: () => durable,
    refusesWrites: () => refusal() ?? (closed ? 'it is closed' : undefined),
    close: async () => {
      closed = true;
      await last;
      while (committing !== undefined || (ended.length > 0 && failed === undefined)) {
        scheduleCommit();
        await committing;
      }
    },
  };
}

/** The last turn that goes into the next frame: as many whole turns as fit, at least one. */
function groupEnd(
  ended: readonly StorePosition[],
  ahead: readonly { readonly line: string }[],
  durableEntry: number,
): StorePosition {
  let bytes = 0;
  let counted = 0;
  let end = ended[0] as StorePosition; // the caller has at least one
  for (const turn of ended) {
    for (; counted < turn.entry - durableEntry; counted += 1) bytes += ahead[counted]?.line.length ?? 0;
    if (bytes > groupBytes && turn !== ended[0]) break;
    end = turn;
  }
  return end;
}
