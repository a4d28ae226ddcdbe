/**
 * When a read model may start from an image instead of the whole log. The registry's definition does not matter: adoption brings the image to
 * the one in force.
 */
import { crc32 } from 'node:zlib';
import type { Journal } from '../journal.ts';
import { readModelFormat } from './core/bookkeeping.ts';

/** Why the bytes are not the ones that were written, if they are not. `checksum` is in the name of the file. */
export function damageOf(image: Uint8Array, checksum: number): string | undefined {
  return crc32(image) === checksum ? undefined : 'its checksum does not hold';
}

/** Why its tables cannot be read by this version, if they cannot. */
export function foreignFormat(version: unknown): string | undefined {
  return version === BigInt(readModelFormat) ? undefined : 'it has another format';
}

/** Why an image of that entry cannot be of a log with that end, if it cannot. */
export function beyondEnd(entry: number, end: number): string | undefined {
  return entry > end ? `it is beyond the log's end at entry ${end}, and damaged` : undefined;
}

/** Whether the log has at that entry the very line, by its checksum, up to which the image shows it. */
export async function fitsLog(
  { read, known }: Pick<Journal, 'read' | 'known'>,
  entry: number,
  checksum: number,
): Promise<boolean> {
  if (entry === 0 || entry > known().entry) return false;
  for await (const lines of read(entry, entry)) return crc32(lines[0] ?? '') === checksum;
  return false;
}
