/** Another process's log, or a damaged one's neighbours: read without lock, to its last whole frame, nothing cut. */
import { fail } from '../../../language/failure/failure.ts';
import { joinPath, type Disk } from '../disk.ts';
import type { Journal } from '../journal.ts';
import { readLines, segmentPath } from './read.ts';
import { findLog } from './recover.ts';

/** The log as it is now; what is appended later is not seen. Throws as `openLog` does. */
export async function openReadOnlyLog(disk: Disk, directory: string): Promise<Journal> {
  const { segments } = await findLog(disk, directory);
  const last = segments.at(-1);
  const end = (last?.nextEntry ?? 1) - 1;
  const bytes = segments.reduce((sum, segment) => sum + segment.end, 0);
  return {
    secret: last?.header.secret ?? '00'.repeat(32),
    end: () => end,
    bytes: () => bytes,
    commit: () => Promise.reject(fail('R0402', { reason: `${joinPath(directory, '')} is opened for reading only` })),
    read: (from, to) => readLines(disk, directory, segments, from, to),
    holder: (entry) => segmentPath(directory, segments, entry),
    refusal: () => undefined,
    look: () => Promise.resolve(),
    notes: () => [],
    record: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
