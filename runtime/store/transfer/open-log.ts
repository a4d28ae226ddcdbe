import { withFile, type Disk } from '../disk.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import type { LogEntry } from '../entry.ts';
import type { Journal } from '../journal.ts';
import type { Entries } from '../journal/entries.ts';
import { openReadOnlyLog } from '../log/read-only-log.ts';
import { readEntry } from '../read-entry.ts';
import type { Store } from '../store.ts';

/** A log as it is, without anything derived from it: its entries take the memory of one page. The caller closes it. */
export interface OpenLog extends Pick<Entries, 'read'>, Pick<Store, 'secret'> {
  /** Number of its last entry. */
  readonly entries: number;
  /** The entries as lines. */
  readonly lines: Pick<Journal, 'secret' | 'read'>;
  readonly close: () => Promise<void>;
}

/**
 * The log of a data directory, even if another process owns it, up to its last whole frame. Throws R0405, R0406 or R0412 for one that is
 * damaged, of an unknown format, or has lost its end.
 *
 * The owner may have written the last frames and not synced them yet. With `durable` they are synced here, so that a power cut takes nothing
 * of what is read: for a reader that keeps what it has read.
 */
export async function openDirectoryLog(
  directory: string,
  { durable = false, disk = nodeDisk }: { readonly durable?: boolean; readonly disk?: Disk } = {},
): Promise<OpenLog> {
  const journal = await openReadOnlyLog(disk, directory);
  const { entry: entries } = journal.known();
  if (durable && entries > 0) await withFile(disk, journal.holder(entries), 'read', (file) => file.sync());
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
