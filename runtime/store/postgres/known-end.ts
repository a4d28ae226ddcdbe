/** The end of the log as this process knows it, and whether the log is still the one that it has read. */
import type { JournalEnd } from '../journal.ts';
import type { Answer } from './connection.ts';

export interface KnownEnd extends JournalEnd {
  /** Batch of the last entry. The end itself has another id after a fence. */
  readonly tail: string | null;
}

/** The end that was known when a question was sent. */
export interface AskedEnd extends KnownEnd {
  /** By the clock of this machine. */
  readonly sentAt: number;
}

export interface End {
  readonly known: () => KnownEnd;
  /** To be called when the statement `end` is sent. */
  readonly asking: () => AskedEnd;
  /**
   * Takes the answer to the statement `end`. Throws `Parted` when the
   * log lacks it, or has another batch there.
   */
  readonly learn: (asked: AskedEnd, answer: Answer) => JournalEnd;
  /** Takes the end that a batch of this process has made. True when nothing of others is in between. */
  readonly keep: (after: JournalEnd, end: JournalEnd) => boolean;
  /**
   * Milliseconds by which the clock of this machine is ahead of the database's, at least; less than 0 where it is behind. 0 as long as they
   * may agree.
   */
  readonly aheadMilliseconds: () => number;
  /** Facts about the database and the other servers that came with the last answer. */
  readonly remarks: () => Remarks;
}

export interface Remarks {
  /** The database follows another one, and may lack its last entries. */
  readonly isReplica: boolean;
  /** The newest version of this product that has appended, and the number of those that decide as it does. */
  readonly product: { readonly version: string; readonly line: number } | undefined;
}

/** The log is not the one that this process has read. */
export class Parted extends Error {
  readonly read: number;
  readonly end: number;
  constructor(read: number, end: number) {
    super(`read up to entry ${read}, the end is ${end}`);
    this.read = read;
    this.end = end;
  }
}

export interface EndOptions {
  readonly place: string;
  readonly storeId: string;
  readonly now: () => number;
  readonly breakOff: (reason: string) => Error;
  /** The end has moved, by entries that are only in the log. */
  readonly onMoved: () => void;
  /** Called with the number of changes of the registry that were announced; perhaps again with the same number. */
  readonly onAnnounced: (announced: number) => void;
}

export function createEnd({ place, storeId, now, breakOff, onMoved, onAnnounced }: EndOptions): End {
  let known: KnownEnd = { entry: 0, batch: '', tail: null };
  let ahead = 0;
  let remarks: Remarks = { isReplica: false, product: undefined };
  return {
    known: () => known,
    asking: () => ({ ...known, sentAt: now() }),
    learn: (asked, { rows }) => {
      const [row] = rows;
      if (row === undefined) throw breakOff(`the table head of ${place} has no row`);
      const [entry, batch, tail, own, clock, id, recovering, version, line, announced] = row;
      const found = { entry: Number(entry), batch: batch ?? '', tail: tail ?? null };
      if (id !== storeId) throw breakOff(`the log in ${place} was replaced by another one; restart the server`);
      if (asked.entry > 0 && (found.entry < asked.entry || own !== asked.tail))
        throw new Parted(asked.entry, found.entry);
      // The database looked at its clock, which has whole milliseconds, at some moment of the exchange, and that may have taken long.
      ahead = Math.min(Math.max(ahead, asked.sentAt - Number(clock) - 1), now() - Number(clock));
      remarks = {
        isReplica: recovering === 't',
        product: typeof version === 'string' ? { version, line: Number(line) } : undefined,
      };
      onAnnounced(Number(announced));
      const isNewer = found.entry > known.entry;
      if (isNewer || (found.entry === known.entry && found.batch !== known.batch)) known = found;
      if (isNewer) onMoved();
      return known;
    },
    keep: (after, end) => {
      // Others may have appended since, and this process may know.
      if (end.entry <= known.entry) return false;
      const isNext = known.entry === after.entry;
      known = { ...end, tail: end.batch };
      return isNext;
    },
    aheadMilliseconds: () => ahead,
    remarks: () => remarks,
  };
}
