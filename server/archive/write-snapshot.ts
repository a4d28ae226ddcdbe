/** A file that `sqlite3` opens, with the tables of the read model at the end of a log (docs/operation.md#the-read-model-on-disk). */
import { nodeDisk, systemClock } from '../../runtime/store/disk/node-disk.ts';
import { writeModelFile } from '../../runtime/store/tables/write-model-file.ts';
import type { OpenLog } from '../../runtime/store/transfer/open-log.ts';
import { readLog } from './readable-log.ts';

export interface SnapshotReport {
  /** The last entry and event that it shows. */
  readonly entries: number;
  readonly position: number;
}

/**
 * Computes the tables from the log, so that it needs nothing from a server that runs, and writes them to `path`, which must not exist. The
 * file has another name until it is complete. Takes the memory of its page cache.
 */
export async function writeSnapshot(log: OpenLog, path: string, version: string): Promise<SnapshotReport> {
  const { survey, domain } = await readLog(log, version);
  await writeModelFile({
    path,
    disk: nodeDisk,
    clock: systemClock,
    definition: domain.readModel,
    log: { ...log.lines, end: () => log.entries, fresh: () => Promise.resolve(log.entries) },
  });
  return { entries: survey.entry, position: survey.position };
}
