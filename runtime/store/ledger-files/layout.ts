/**
 * The layout of a ledger file: the heads and command ids that a range of entries has brought. Two sections of records, each sorted by a key of
 * random bytes, in pages with a checksum; a filter of all keys; a footer in JSON; a trailer. A file gets its name when it is complete and
 * durable, and never changes.
 */
import { crc32 } from 'node:zlib';
import type { EventKind } from '../entry.ts';

/** The section of a record: its key has that many bytes, and a value of 6 bytes follows. */
export interface Section {
  readonly name: 'heads' | 'ids';
  readonly keyBytes: number;
  readonly recordBytes: number;
  readonly perPage: number;
  /** Separates the keys of sections in the filter. */
  readonly kind: number;
}

export const pageBytes = 4096;
const checksumBytes = 4;
const valueBytes = 6;

function section(name: Section['name'], keyBytes: number, kind: number): Section {
  const recordBytes = keyBytes + valueBytes;
  return { name, keyBytes, recordBytes, perPage: Math.floor((pageBytes - checksumBytes) / recordBytes), kind };
}

/** The seq of the last event of a stream, by a hash of the stream without collisions. */
export const heads = section('heads', 16, 1);
/** The number of an entry, by the hash of its command id. */
export const ids = section('ids', 8, 2);

export function pagesOf({ perPage }: Section, records: number): number {
  return Math.ceil(records / perPage);
}

/** The checksum holds for this page at this place only. */
export function sealPage(page: Buffer, place: number): void {
  page.writeUInt32BE(crc32(page.subarray(0, pageBytes - checksumBytes), place), pageBytes - checksumBytes);
}
export function isSealed(page: Buffer, place: number): boolean {
  return page.readUInt32BE(pageBytes - checksumBytes) === crc32(page.subarray(0, pageBytes - checksumBytes), place);
}

export interface Footer {
  /** Entries after `from`, up to `entry`. */
  readonly from: number;
  readonly entry: number;
  readonly event: number;
  readonly at: string;
  /** CRC-32 of the line of `entry`: the file belongs to a log only when the log has exactly that line there. */
  readonly checksum: number;
  readonly heads: number;
  readonly ids: number;
  readonly filterBytes: number;
  readonly filterChecksum: number;
  /** All kinds of events up to `entry`. */
  readonly kinds: readonly EventKind[];
  /** The numbers of schema entries in the range. */
  readonly schema: readonly number[];
}

const magic = Buffer.from('scmledg1', 'latin1');
export const trailerBytes = magic.length + 8;

export function encodeEnd(footer: Footer): Buffer {
  const json = Buffer.from(JSON.stringify(footer));
  const trailer = Buffer.alloc(trailerBytes);
  magic.copy(trailer);
  trailer.writeUInt32BE(json.length, magic.length);
  trailer.writeUInt32BE(crc32(json), magic.length + 4);
  return Buffer.concat([json, trailer]);
}

/** Length and checksum of the footer, or undefined when this is no trailer. */
export function decodeTrailer(trailer: Buffer): { readonly length: number; readonly checksum: number } | undefined {
  if (trailer.length !== trailerBytes || !trailer.subarray(0, magic.length).equals(magic)) return undefined;
  return { length: trailer.readUInt32BE(magic.length), checksum: trailer.readUInt32BE(magic.length + 4) };
}

const nameForm = /^ledger-(\d{16})-(\d{16})\.idx$/;
export const partSuffix = '.part';

export function ledgerFileName(from: number, entry: number): string {
  return `ledger-${String(from).padStart(16, '0')}-${String(entry).padStart(16, '0')}.idx`;
}

/** The range in the name of a ledger file; undefined for other names. */
export function rangeOf(name: string): { readonly from: number; readonly entry: number } | undefined {
  const found = nameForm.exec(name);
  return found === null ? undefined : { from: Number(found[1]), entry: Number(found[2]) };
}

/** A ledger file that was not finished. */
export function isUnfinished(name: string): boolean {
  return name.endsWith(partSuffix) && rangeOf(name.slice(0, -partSuffix.length)) !== undefined;
}
