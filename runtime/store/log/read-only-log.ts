/** Reads the log of another process, or a damaged one: without lock, up to its last whole frame, without cutting. */
import type { Disk } from '../disk.ts';
import { JournalFailure, type Journal } from '../journal.ts';
import { createFollowing } from '../journal/following.ts';
import { readLines, segmentPath } from './read.ts';
import { findLog } from './recover.ts';

/** The log as it is now; later appends are not seen. Throws as `openLog` does. */
export async function openReadOnlyLog(disk: Disk, directory: string, acceptLoss?: number): Promise<Journal> {
  const { segments } = await findLog(disk, directory, acceptLoss);
  const last = segments.at(-1);
  const end = (last?.nextEntry ?? 1) - 1;
  const known = { entry: end, batch: 'found' };
  const trouble = { reason: `${directory} is opened read-only`, heals: false };
  const read: Journal['read'] = (from, to) => readLines(disk, directory, segments, from, to);
  const fresh: Journal['fresh'] = () => Promise.resolve(known);
  const following = createFollowing({ read, fresh, end: () => end });
  const refused = (): Promise<never> => Promise.reject(new JournalFailure(trouble));
  return {
    secret: last?.header.secret ?? '00'.repeat(32),
    known: () => known,
    fresh,
    append: refused,
    settle: refused,
    lock: refused,
    unlock: () => Promise.resolve(),
    read,
    follow: following.follow,
    holder: (entry) => segmentPath(directory, segments, entry),
    trouble: () => trouble,
    look: () => Promise.resolve(),
    notes: () => [],
    close: () => {
      following.close();
      return Promise.resolve();
    },
  };
}
