import { fail } from '../../../language/failure/failure.ts';
import type { Disk } from '../disk.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import type { LogEntry } from '../entry.ts';
import type { Journal } from '../journal.ts';
import { openReadOnlyLog } from '../log/read-only-log.ts';
import { readEntry } from '../read-entry.ts';
import type { Store } from '../store.ts';

/** A log as it is, without anything derived from it: its entries take the memory of one page. The caller closes it. */
export interface OpenLog extends Pick<Store, 'read' | 'secret'> {
  /** Number of its last entry. */
  readonly entries: number;
  /** The same entries as lines. */
  readonly lines: Pick<Journal, 'secret' | 'read'>;
  readonly close: () => Promise<void>;
}

/**
 * The log of a data directory, even if another process owns it, up to its last whole frame, or to entry `end` if there are more. Throws
 * R0405, R0406 or R0412 for one that is damaged, of an unknown format, or has lost its end.
 */
export async function openDirectoryLog(directory: string, end?: number, disk: Disk = nodeDisk): Promise<OpenLog> {
  const journal = await openReadOnlyLog(disk, directory);
  const there = journal.known().entry;
  if (end !== undefined && end > there) {
    await journal.close();
    const problem = `entry ${end} is durable, but the log ends with entry ${there}`;
    throw fail('R0405', { file: directory, offset: 0, problem });
  }
  const entries = end ?? there;
  return {
    secret: Buffer.from(journal.secret, 'hex'),
    entries,
    lines: journal,
    async *read(from): AsyncGenerator<LogEntry, void, undefined> {
      if (from > entries) return;
      for await (const lines of journal.read(Math.max(1, from), entries))
        for (const line of lines) yield readEntry(line, journal.holder);
    },
    close: journal.close,
  };
}
