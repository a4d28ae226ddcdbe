/**
 * A checksum in each page of a database file, in bytes that SQLite reserves for it (as its own `cksumvfs` does). A page
 * that was torn, overwritten or put in another place by a failing disk is found when it is read, and never answers a query.
 */
import { crc32 } from 'node:zlib';

/** Large pages: a history is read in long runs. */
export const pageBytes = 8192;
/** Reserved at the end of each page; the checksum is the first half. */
const reservedBytes = 8;
const usedBytes = pageBytes - reservedBytes;

/** Writes the checksum of a page, counted from 1, into it. */
export function sealPage(page: Uint8Array, number: number): void {
  const sum = crc32(page.subarray(0, usedBytes), number);
  page[usedBytes] = sum & 0xff;
  page[usedBytes + 1] = (sum >>> 8) & 0xff;
  page[usedBytes + 2] = (sum >>> 16) & 0xff;
  page[usedBytes + 3] = sum >>> 24;
}

/** A page of zeros passes: SQLite leaves such a hole for a page that it freed before it wrote it. */
export function isSealed(page: Uint8Array, number: number): boolean {
  const [a = 0, b = 0, c = 0, d = 0] = page.subarray(usedBytes, usedBytes + 4);
  const sum = (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
  if (crc32(page.subarray(0, usedBytes), number) === sum) return true;
  return sum === 0 && page.every((byte) => byte === 0);
}

/** The first page of an empty database with such pages (https://www.sqlite.org/fileformat2.html#the_database_header). */
export function emptyDatabase(): Uint8Array {
  const page = new Uint8Array(pageBytes);
  const view = new DataView(page.buffer);
  page.set(new TextEncoder().encode('SQLite format 3\0'));
  view.setUint16(16, pageBytes);
  page.set([1, 1, reservedBytes, 64, 32, 32], 18);
  view.setUint32(24, 1); // change counter
  view.setUint32(28, 1); // size in pages
  view.setUint32(44, 4); // schema format
  view.setUint32(56, 1); // UTF-8
  view.setUint32(92, 1); // the change counter for which the size holds
  page[100] = 13; // a leaf of a table, empty
  view.setUint16(105, usedBytes);
  sealPage(page, 1);
  return page;
}
