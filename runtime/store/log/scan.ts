/**
 * Reads one segment from front to back and says where it ends and why. Takes a file and its expected content, gives
 * frames with correct checksums; never changes anything and never decides what a bad end means for the log
 * (`recover.ts` does).
 */
import { crc32 } from 'node:zlib';
import type { DiskFile } from '../disk.ts';
import { decodeFrameHeader, frameHeaderBytes, magicBytes, maxFrameBody, type FrameHeader } from './frame.ts';
import type { FramePlace } from './frame-index.ts';
import { segmentHeaderBytes } from './segment.ts';

export interface Frame {
  readonly header: FrameHeader;
  readonly offset: number;
  /** Valid until the next batch is requested. */
  readonly body: Buffer;
}

export interface SegmentEnd {
  /** The end of the last good frame. */
  readonly offset: number;
  /** Number of the entry that must come next. */
  readonly nextEntry: number;
  /** Absent when the file ends with its last frame. */
  readonly problem?: string;
}

export interface ScanRange {
  readonly segmentId: bigint;
  /** A frame starts here, and its first entry is `nextEntry`. */
  readonly offset: number;
  readonly nextEntry: number;
  /** Bytes from here on are not read. */
  readonly end: number;
  /** Bytes to read at once; few for a single frame. */
  readonly window?: number;
}

const windowBytes = 1024 * 1024;

/** The problem of a file that was cut; all others are of bytes that are there. */
export const endsInside = 'the file ends inside a frame';

/** Yields batches of frames in order; returns where and why it stopped. */
export async function* scanSegment(
  file: DiskFile,
  range: ScanRange,
): AsyncGenerator<readonly Frame[], SegmentEnd, undefined> {
  let { offset, nextEntry } = range;
  const usual = range.window ?? windowBytes;
  let wanted = usual;
  for (;;) {
    const left = range.end - offset;
    if (left <= 0) return { offset, nextEntry };
    const window = Buffer.allocUnsafe(Math.min(wanted, left));
    const filled = await file.read(window, offset);
    const bytes = window.subarray(0, filled);
    const frames: Frame[] = [];
    let at = 0;
    let problem: string | undefined;
    wanted = usual;
    while (at < bytes.length) {
      const found = frameAt(bytes, at, range.segmentId, nextEntry);
      if (typeof found === 'string') {
        problem = found;
        break;
      }
      if (typeof found === 'number') {
        wanted = Math.max(usual, found);
        break;
      }
      frames.push({ ...found, offset: offset + at });
      at += frameHeaderBytes + found.header.bodyLength;
      nextEntry += found.header.entries;
    }
    offset += at;
    if (frames.length > 0) yield frames;
    if (problem !== undefined) return { offset, nextEntry, problem };
    if (at === 0 && (bytes.length === left || filled < window.length)) {
      return { offset, nextEntry, problem: endsInside };
    }
  }
}

/** A good frame; or the number of bytes that the window needs; or the problem. */
function frameAt(
  bytes: Buffer,
  at: number,
  segmentId: bigint,
  nextEntry: number,
): { header: FrameHeader; body: Buffer } | number | string {
  const left = bytes.length - at;
  if (left < frameHeaderBytes) return frameHeaderBytes;
  const header = decodeFrameHeader(bytes, at);
  if (header === undefined) return 'a frame header whose checksum does not hold';
  if (header.segmentId !== segmentId) return 'a frame of another segment';
  if (header.firstEntry !== nextEntry) return `a frame that starts at entry ${header.firstEntry}, not ${nextEntry}`;
  if (header.entries === 0 || header.bodyLength > maxFrameBody) return 'a frame header of impossible size';
  const whole = frameHeaderBytes + header.bodyLength;
  if (left < whole) return whole;
  const body = bytes.subarray(at + frameHeaderBytes, at + whole);
  if (crc32(body) !== header.bodyChecksum) return 'a frame body whose checksum does not hold';
  return { header, body };
}

/**
 * The offset of the first undamaged frame header with an entry number past `afterEntry`, from `from` on; only of this
 * segment when `segmentId` is given. Such a header proves that the frames before it were once durable.
 */
export async function findLaterHeader(
  file: DiskFile,
  from: number,
  end: number,
  afterEntry: number,
  segmentId: bigint | undefined,
): Promise<number | undefined> {
  const found = await findHeader(
    file,
    { from: Math.max(from, segmentId === undefined ? segmentHeaderBytes : 0), end, window: windowBytes },
    (header) => header.firstEntry > afterEntry && (segmentId === undefined || header.segmentId === segmentId),
  );
  return found?.offset;
}

/** The first undamaged frame header in a part of a file that is wanted; `window` says how much to read at once. */
export async function findHeader(
  file: DiskFile,
  { from, end, window: wanted }: { readonly from: number; readonly end: number; readonly window: number },
  isWanted: (header: FrameHeader) => boolean,
): Promise<FramePlace | undefined> {
  let offset = from;
  while (end - offset >= frameHeaderBytes) {
    const window = Buffer.allocUnsafe(Math.min(wanted, end - offset));
    const bytes = window.subarray(0, await file.read(window, offset));
    if (bytes.length < frameHeaderBytes) return undefined;
    for (let at = bytes.indexOf(magicBytes); at >= 0; at = bytes.indexOf(magicBytes, at + 1)) {
      const header = decodeFrameHeader(bytes, at);
      if (header !== undefined && isWanted(header)) return { firstEntry: header.firstEntry, offset: offset + at };
    }
    offset += Math.max(1, bytes.length - frameHeaderBytes + 1);
  }
  return undefined;
}
