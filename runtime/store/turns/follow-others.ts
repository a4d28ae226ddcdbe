import { setTimeout as pause } from 'node:timers/promises';
import { JournalFailure, type Journal } from '../journal.ts';

export interface Following {
  readonly journal: Pick<Journal, 'follow'>;
  /** The last entry that this process has. */
  readonly durableEntry: () => number;
  /** The last entry that it is appending itself. */
  readonly sendingEntry: () => number;
  /** Others have appended up to this entry. */
  readonly onOthers: (entry: number) => void;
  readonly signal: AbortSignal;
}

/** Notices what others append, soon after they did, until the signal is aborted or the log has failed for good. */
export async function followOthers({
  journal,
  durableEntry,
  sendingEntry,
  onOthers,
  signal,
}: Following): Promise<void> {
  while (!signal.aborted) {
    try {
      let seen = durableEntry();
      for await (const lines of journal.follow(seen + 1, signal)) {
        seen += lines.length;
        if (seen > durableEntry() && seen > sendingEntry()) onOthers(seen);
      }
    } catch (error) {
      if (error instanceof JournalFailure && !error.heals) return;
    }
    // Aborted: the store is closed, and the loop ends.
    await pause(followPause, undefined, { signal }).catch(() => undefined);
  }
}

/** Between two attempts to follow a log that is away. */
const followPause = 500;
