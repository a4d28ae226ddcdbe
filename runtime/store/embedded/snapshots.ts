/**
 * Snapshots in the directory of the log: images of the read model in files `snapshot-<entry>-<hash>-<checksum>.db`,
 * where the hash is of the registry's definition and the format. A snapshot is written to a temporary name, synced and
 * renamed, and only then is an older one removed. Deleting all of them loses no data. The keeper decides when one is written.
 */
import { createHash } from 'node:crypto';
import { joinPath, wholeContent, withFile, type Disk, type StoreLog } from '../disk.ts';
import type { Journal } from '../journal.ts';
import type { DiskLog } from '../log/log.ts';
import { replaceFile } from '../side/sealed-file.ts';
import { readModelFormat } from '../tables/core/bookkeeping.ts';
import { beyondEnd, fitsLog } from '../tables/core/image-fitness.ts';
import type { StoredImage } from '../tables/live/images.ts';
import type { ReadModel } from '../tables/read-model.ts';
import type { SnapshotImage } from '../tables/core/messages.ts';
import { snapshotName, snapshotNames, type SnapshotName } from '../snapshot-name.ts';

export interface Snapshots {
  /** The images of all readable snapshots, newest first; an unreadable one is ignored with a log line. */
  readonly images: () => AsyncIterable<StoredImage>;
  /** Writes a snapshot and removes all others but the one before. */
  readonly save: (snapshot: SnapshotImage) => Promise<void>;
  /** Entry of the newest snapshot, 0 when there is none. */
  readonly newest: () => Promise<number>;
}

const keptSnapshots = 2;

export function createSnapshots(
  disk: Disk,
  directory: string,
  journal: Pick<Journal, 'known' | 'read'>,
  log: StoreLog,
): Snapshots {
  /** Newest first. */
  const names = async (): Promise<readonly SnapshotName[]> => snapshotNames(await disk.list(directory));

  const fits: StoredImage['fits'] = (entry, checksum) => fitsLog(journal, entry, checksum);

  return {
    async *images() {
      for (const { name, entry, checksum } of await names()) {
        // A readable one would have stopped the start.
        const unfit = beyondEnd(entry, journal.known().entry);
        if (unfit !== undefined) {
          log('warn', `ignored ${name}: ${unfit}`);
          continue;
        }
        try {
          yield { name, image: await withFile(disk, joinPath(directory, name), 'read', wholeContent), checksum, fits };
        } catch (error) {
          log('warn', `ignored ${name}: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
    },
    save: async ({ entry, image, checksum, definition }) => {
      const hash = createHash('sha256')
        .update(`${readModelFormat}\n${JSON.stringify(definition)}`)
        .digest('hex')
        .slice(0, 16);
      const name = snapshotName(entry, hash, checksum);
      for (const left of await disk.list(directory)) {
        if (left.startsWith('snapshot-') && left.endsWith('.new')) await disk.remove(joinPath(directory, left));
      }
      if ((await names()).some((known) => known.name === name)) return;
      await replaceFile(disk, directory, name, image);
      for (const old of (await names()).slice(keptSnapshots)) await disk.remove(joinPath(directory, old.name));
    },
    newest: async () => (await names())[0]?.entry ?? 0,
  };
}

export interface SnapshotKeeper {
  readonly consider: (readModel: ReadModel) => void;
  /** Waits for a snapshot that is being written, and writes a last one when it saves the next start some work. */
  readonly finish: (readModel: ReadModel) => Promise<void>;
  readonly notes: () => readonly string[];
}

/**
 * Decides when snapshots are written: often enough that a start replays little, seldom enough that big ones cost
 * little.
 */
export async function createSnapshotKeeper(
  snapshots: Snapshots,
  { known, record }: Pick<DiskLog, 'known' | 'record'>,
  { every, log, lost }: { every: number; log: StoreLog; lost: () => string | undefined },
): Promise<SnapshotKeeper> {
  const end = (): number => known().entry;
  let last = await snapshots.newest();
  let running: Promise<void> | undefined;
  let problem: string | undefined;
  const write = (readModel: ReadModel): Promise<void> =>
    readModel
      .snapshot()
      .then(async (snapshot) => {
        if (snapshot.definition !== undefined) {
          // An existing snapshot proves what the log must contain, so the log is recorded first.
          await record();
          await snapshots.save(snapshot);
        }
        last = end();
        problem = undefined;
      })
      .catch((error: unknown) => {
        // The log has everything; the next attempt follows after the usual number of further entries.
        last = end();
        problem = `no snapshot was written: ${error instanceof Error ? error.message : String(error)}`;
        log('warn', problem);
      });
  return {
    consider: (readModel) => {
      if (running !== undefined || end() - last < Math.max(every, end() / 5) || lost() !== undefined) return;
      running = write(readModel).finally(() => {
        running = undefined;
      });
    },
    finish: async (readModel) => {
      await running;
      // Nothing may be written to or removed from a directory that another process owns.
      if (end() - last >= every / 20 && lost() === undefined) await write(readModel);
    },
    notes: () => (problem === undefined ? [] : [problem]),
  };
}
