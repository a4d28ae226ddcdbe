/**
 * A whole store as JSON lines: a head with the store's secret (without it recorded command ids would not be
 * recognised), one line for each entry, and an end with their number and checksum. Nothing is masked.
 */
import { crc32 } from 'node:zlib';
import type { Entries } from '../journal/entries.ts';

/**
 * The present format; format 2 has optional cells by name in `cells`, format 3 the kinds of block enum and function, format 4 subscription and
 * reaction, and inspections of reactions, format 5 what operators did about reactions, format 6 counts of commands that were
 * not kept and seeds of 17 bytes, format 7 places of subscriptions, format 8 chains of reactions, format 9 the kind
 * claim and callers of commands.
 */
export const exportFormat = 9;
export const readExportFormats: readonly unknown[] = [1, 2, 3, 4, 5, 6, 7, 8, exportFormat];

export interface ExportHead {
  readonly schemac: 'log';
  readonly format: number;
  /** Hex. */
  readonly secret: string;
}
export interface ExportEnd {
  readonly end: number;
  /** CRC-32 of all lines before, line ends included. */
  readonly checksum: number;
}

/** Lines without their ends, up to the durable end at the time of the call. A store gives the same bytes each time. */
export async function* exportStore(
  log: Pick<Entries, 'read'>,
  secret: Uint8Array,
): AsyncGenerator<string, void, undefined> {
  const head: ExportHead = { schemac: 'log', format: exportFormat, secret: Buffer.from(secret).toString('hex') };
  let entries = 0;
  let checksum = 0;
  const counted = (line: string): string => {
    checksum = crc32(`${line}\n`, checksum);
    return line;
  };
  yield counted(JSON.stringify(head));
  for await (const entry of log.read(1)) {
    entries += 1;
    yield counted(JSON.stringify(entry));
  }
  const end: ExportEnd = { end: entries, checksum };
  yield JSON.stringify(end);
}
