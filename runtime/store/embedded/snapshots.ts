/**
 * Snapshots in the directory of the log: images of the read model in files `snapshot-<entry>-<hash>-<checksum>.db`,
 * where the hash is of the registry's definition and the format. A snapshot is written to a temporary name, synced and
 * renamed, and only then is an older one removed. Deleting all of them loses no data.
 */
import { createHash } from 'node:crypto';
import { joinPath, type Disk, type StoreLog } from '../disk.ts';
import type { Journal } from '../journal.ts';
import { replaceFile } from '../log/replace-file.ts';
import { readModelFormat } from '../read-model/core/bookkeeping.ts';
import { beyondEnd, fitsLog } from '../read-model/image-fitness.ts';
import type { StoredImage } from '../read-model/images.ts';
import type { SnapshotImage } from '../read-model/thread/messages.ts';
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
          yield { name, image: await readWhole(disk, joinPath(directory, name)), checksum, fits };
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

async function readWhole(disk: Disk, path: string): Promise<Uint8Array> {
  const file = await disk.open(path, 'read');
  try {
    const bytes = new Uint8Array(await file.size());
    const filled = await file.read(bytes, 0);
    return filled === bytes.length ? bytes : bytes.slice(0, filled);
  } finally {
    await file.close();
  }
}
