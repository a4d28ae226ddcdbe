import type { LogEntry } from '../entry.ts';
import type { Journal, Trouble } from '../journal.ts';
import { encodeLine } from '../line.ts';
import { readEntry } from '../read-entry.ts';
import { refusedWrite } from '../journal/log-failures.ts';
import type { QueryAhead, RecordedCommand, Turn } from './turn.ts';
import type { Ledger } from './ledger.ts';

/** An entry that is not durable yet. */
export interface Pending {
  readonly entry: LogEntry;
  readonly line: string;
}

export interface OpenTurn {
  readonly turn: Turn;
  /** From now on its use is an error. */
  readonly end: () => void;
}

export interface TurnSurroundings {
  readonly journal: Pick<Journal, 'read' | 'holder'>;
  readonly ledger: Ledger;
  readonly shared: boolean;
  /** The entries after `durableEntry`, to which the turn adds its own. */
  readonly ahead: () => Pending[];
  readonly durableEntry: () => number;
  readonly queryAhead: QueryAhead;
  readonly unreadable: Turn['unreadable'];
  /** Why nothing may be appended now. */
  readonly refusal: () => Trouble | undefined;
  /** Throws when what the turn has seen was taken back. */
  readonly check: () => void;
}

/** Opens the reads and appends of a turn's work: it sees all entries, including those that are not durable. */
export function openTurn(surroundings: TurnSurroundings): OpenTurn {
  const { journal, ledger, ahead, durableEntry, queryAhead, refusal } = surroundings;
  let open = true;
  let size = 0;
  const check = (): void => {
    if (!open) throw new Error('a turn was used after its end');
    surroundings.check();
  };

  const read = async (number: number): Promise<LogEntry | undefined> => {
    if (number > durableEntry()) return ahead()[number - durableEntry() - 1]?.entry;
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
  ): Promise<RecordedCommand | undefined> => {
    for (const number of candidates) {
      const entry = await read(number);
      if (entry?.kind !== 'command' || entry.commandId !== commandId) continue;
      if (entry.streamType === streamType && entry.streamId === streamId) return entry;
    }
    return undefined;
  };

  const turn: Turn = {
    ...(surroundings.shared && { shared: true }),
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
      const first = durableEntry() + 1;
      return queryAhead({ first, lines: ahead().map(({ line }) => line) }, query, parameters, asking);
    },
    unreadable: surroundings.unreadable,
    lastEntry: () => ledger.entry(),
    ahead,
    schemaEntries: () => ledger.schema().length,
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
        ahead().push({ entry, line });
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
}
