/** The files of a read model on disk, in the directory of the log. Deleting all of them loses no data. */
import { joinPath, type Disk, type FileMark } from '../disk.ts';
import type { DiskTables } from '../assemble-store.ts';
import type { Journal } from '../journal.ts';
import { segmentFirstEntry } from '../log/segment.ts';
import { fitsLog } from '../read-model/image-fitness.ts';
import { createModelFiles, readModelFileName } from '../read-model/model-file.ts';

/** Files of copies on earlier registries: they are left when the process is killed. */
const asidePrefix = 'read-model-past-';

export async function createDiskTables(
  disk: Disk,
  directory: string,
  journal: Pick<Journal, 'known' | 'read'>,
  cacheBytes: number,
  owner: FileMark | undefined,
): Promise<DiskTables> {
  const removeAside = async (prefix: string): Promise<void> => {
    for (const name of await disk.list(directory)) {
      if (!name.startsWith(prefix)) continue;
      try {
        await disk.remove(joinPath(directory, name));
      } catch (error) {
        // The database that is closing removes its own journal meanwhile.
        if ((await disk.list(directory)).includes(name)) throw error;
      }
    }
  };
  await removeAside(asidePrefix);
  let made = 0;
  return {
    files: createModelFiles(joinPath(directory, readModelFileName), cacheBytes, owner),
    fits: (entry, checksum) => fitsLog(journal, entry, checksum),
    aside: () => {
      made += 1;
      const name = `${asidePrefix}${made}.`;
      const { written } = createModelFiles(joinPath(directory, `${name}db`), cacheBytes);
      return { file: written, remove: () => removeAside(name) };
    },
  };
}

export async function hasModelFile(disk: Disk, directory: string): Promise<boolean> {
  return (await disk.list(directory)).includes(readModelFileName);
}

/** Bytes of the log, which its tables take about as well. */
export async function logBytes(disk: Disk, directory: string): Promise<number> {
  let bytes = 0;
  for (const name of await disk.list(directory)) {
    if (segmentFirstEntry(name) === undefined) continue;
    const file = await disk.open(joinPath(directory, name), 'read');
    try {
      bytes += await file.size();
    } finally {
      await file.close();
    }
  }
  return bytes;
}
