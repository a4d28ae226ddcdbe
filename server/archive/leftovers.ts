/** Files of runs that were interrupted: exports remove them, and a check reports them, because readers of whole folders would count them. */
import { joinPath, type Disk } from '../../runtime/store/disk.ts';
import { isEventFileName, isMonthFolder, type Manifest } from './manifest.ts';

/** Paths, relative to the archive, of files that exports write and that the manifest does not name. Other files are left alone. */
export async function findLeftovers(disk: Disk, directory: string, manifest: Manifest): Promise<readonly string[]> {
  const known = new Set(manifest.aggregates.flatMap(({ files }) => files.map(({ path }) => path)));
  const found: string[] = [];
  for (const aggregate of await disk.list(directory)) {
    if (aggregate.includes('.')) continue;
    for (const month of await listFolder(disk, joinPath(directory, aggregate))) {
      if (!isMonthFolder(month)) continue;
      const folder = `${aggregate}/${month}`;
      for (const name of await listFolder(disk, joinPath(directory, folder)))
        if (isEventFileName(name) && !known.has(`${folder}/${name}`)) found.push(`${folder}/${name}`);
    }
  }
  return found;
}

/** Nothing for a file. */
async function listFolder(disk: Disk, path: string): Promise<readonly string[]> {
  try {
    return await disk.list(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return [];
    throw error;
  }
}
