import { joinPath, type Disk } from '../disk.ts';
import { segmentFirstEntry } from './segment.ts';

/** Bytes of the log's segments. A read model on disk takes about the same number. */
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
