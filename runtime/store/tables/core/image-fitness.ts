/**
 * Decides whether a read model may start from an image instead of the whole log. The registry's definition does not
 * matter: adoption changes the image to the one in force.
 */
import { crc32 } from 'node:zlib';
import type { Journal } from '../../journal.ts';
import { readModelFormat } from './bookkeeping.ts';

/** The reason why the bytes are damaged, if they are. `checksum` is in the name of the file. */
export function damageOf(image: Uint8Array, checksum: number): string | undefined {
  return crc32(image) === checksum ? undefined : 'its checksum does not hold';
}

/** The reason why this version cannot read its tables, if it cannot. */
export function foreignFormat(version: unknown): string | undefined {
  return version === BigInt(readModelFormat) ? undefined : 'it has another format';
}

/** The reason why an image of that entry cannot belong to a log with that end, if it cannot. */
export function beyondEnd(entry: number, end: number): string | undefined {
  return entry > end ? `it is beyond the log's end at entry ${end}, and damaged` : undefined;
}

/** Whether the log has, at the last entry of the image, the line with its checksum. */
export async function fitsLog(
  { read, known }: Pick<Journal, 'read' | 'known'>,
  entry: number,
  checksum: number,
): Promise<boolean> {
  if (entry === 0 || entry > known().entry) return false;
  for await (const lines of read(entry, entry)) return crc32(lines[0] ?? '') === checksum;
  return false;
}
