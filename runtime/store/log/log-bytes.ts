import { joinPath, withFile, type Disk } from '../disk.ts';
import { segmentFirstEntry } from './segment.ts';

/** Bytes of the log's segments. A read model on disk takes about the same number. */
export async function logBytes(disk: Disk, directory: string): Promise<number> {
  let bytes = 0;
  for (const name of await disk.list(directory)) {
    if (segmentFirstEntry(name) === undefined) continue;
    bytes += await withFile(disk, joinPath(directory, name), 'read', (file) => file.size());
  }
  return bytes;
}
