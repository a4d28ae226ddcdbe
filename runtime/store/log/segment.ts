/**
 * A segment file: a header, then frames back to back. Named after its first entry, so that the names in order are the
 * log in order.
 *
 * | bytes  | field                              |
 * |--------|------------------------------------|
 * | 0–7    | `schemac` and a NUL                |
 * | 8–11   | format version                     |
 * | 12–19  | number of the first entry          |
 * | 20–27  | id of the segment, random          |
 * | 28–59  | secret of the store, random        |
 * | 60–63  | CRC-32 of bytes 0–59               |
 */
import { crc32 } from 'node:zlib';

export const segmentHeaderBytes = 64;
/**
 * The format of new segments. Format 2 has optional cells by name (`cells.ts`), format 3 the kinds of block enum and
 * function, format 4 the kinds subscription and reaction, and inspections of reactions, format 5 what operators did about reactions, format 6
 * counts of commands that were not kept and seeds of 17 bytes, format 7 places of subscriptions, format 8 chains of reactions, format 9
 * the kind claim and callers of commands; apart from these a line of an older format is one of the present. A segment of
 * an older format gets no further frames, so its format says which lines it can contain.
 */
export const logFormat = 9;
export const readFormats: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8, logFormat];
const magic = 'schemac\0';

export interface SegmentHeader {
  readonly format: number;
  readonly firstEntry: number;
  readonly id: bigint;
  /** Hex of 32 bytes; the same in all segments of a store. */
  readonly secret: string;
}

export function segmentName(firstEntry: number): string {
  return `log-${String(firstEntry).padStart(16, '0')}.seg`;
}

/** The first entry by the name, undefined for a name that is not a segment's. */
export function segmentFirstEntry(name: string): number | undefined {
  const match = /^log-(\d{16})\.seg$/.exec(name);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}

export function encodeSegmentHeader(header: SegmentHeader): Buffer {
  const bytes = Buffer.alloc(segmentHeaderBytes);
  bytes.write(magic, 0, 'latin1');
  bytes.writeUInt32LE(header.format, 8);
  bytes.writeBigUInt64LE(BigInt(header.firstEntry), 12);
  bytes.writeBigUInt64LE(header.id, 20);
  bytes.write(header.secret, 28, 'hex');
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 60)), 60);
  return bytes;
}

/** Undefined when the bytes are no whole, undamaged header; its format may still be unknown. */
export function decodeSegmentHeader(bytes: Buffer): SegmentHeader | undefined {
  if (bytes.length < segmentHeaderBytes || bytes.toString('latin1', 0, 8) !== magic) return undefined;
  if (crc32(bytes.subarray(0, 60)) !== bytes.readUInt32LE(60)) return undefined;
  return {
    format: bytes.readUInt32LE(8),
    firstEntry: Number(bytes.readBigUInt64LE(12)),
    id: bytes.readBigUInt64LE(20),
    secret: bytes.toString('hex', 28, 60),
  };
}

export const defaultSegmentBytes = 64 * 1024 * 1024;

/** Whether the next entry begins a new segment. */
export function isFull(end: number, { format }: SegmentHeader, rolloverBytes: number): boolean {
  return end >= rolloverBytes || format !== logFormat;
}
