/**
 * Finds out the state of a log directory: the segments, the end of each, and whether the log has a torn tail or is
 * damaged (a bad frame is a torn tail only if no header of a later entry follows anywhere). Changes nothing; the caller
 * cuts.
 */
import { fail, type Failure } from '../../../language/failure/failure.ts';
import { joinPath, type Disk, type DiskFile, type StoreLog } from '../disk.ts';
import { step, type Opening } from '../opening.ts';
import type { CheckedSegment } from './checked.ts';
import { createFrameIndex, frameIndexSpacing, type FrameIndex } from './frame-index.ts';
import { findLostEnd, lostEndFailure, type LostEnd } from './lost-end.ts';
import { logBytes } from './log-bytes.ts';
import { readManifest, type Manifest } from './manifest.ts';
import { findLaterHeader, scanSegment, type SegmentEnd } from './scan.ts';
import {
  decodeSegmentHeader,
  readFormats,
  segmentFirstEntry,
  segmentHeaderBytes,
  segmentName,
  type SegmentHeader,
} from './segment.ts';

export interface Segment {
  readonly name: string;
  readonly header: SegmentHeader;
  /** Where its frames are; empty as long as they were not read (`checked`). */
  index: FrameIndex;
  /** The end of its last good frame. Increases in the last segment only. */
  end: number;
  /** Number of the entry after its last one. */
  nextEntry: number;
  /** An owner of the log has checked it as a whole, and its file is unchanged. Never of the last segment. */
  checked?: CheckedSegment | undefined;
}

/** By first entry. */
export type CheckedSegments = ReadonlyMap<number, CheckedSegment>;

export interface FoundLog {
  readonly segments: readonly Segment[];
  /** Must be cut before anything is written: bytes at the end of a file, or a file that has no good header yet. */
  readonly torn?: TornTail;
  readonly manifest?: Manifest;
}
export interface TornTail {
  readonly name: string;
  /** Undefined: the whole file. */
  readonly offset: number | undefined;
  readonly problem: string;
}

/** The good part of a log from its beginning on, and the reason why it ends. */
export interface SurveyedLog extends FoundLog {
  /** R0405 or R0406 with file and offset: nothing from there on is reliable. */
  readonly damage?: Failure;
  /** The existing entries are good, but some are missing. */
  readonly lost?: LostEnd;
}

/** Throws a `Failure` R0405, R0406 or R0412 when the log is damaged, has an unknown format, or has lost its end. */
export async function findLog(disk: Disk, directory: string, acceptLoss?: number): Promise<FoundLog> {
  const { damage, lost, ...found } = await surveyLog(disk, directory);
  if (damage !== undefined) throw damage;
  if (lost !== undefined && lost.first !== acceptLoss) throw lostEndFailure(directory, lost);
  return found;
}

/**
 * Finds the log up to the damage, if there is any. Reads every frame except those of segments that are `checked` and unchanged: there it
 * reads the end.
 */
export async function surveyLog(
  disk: Disk,
  directory: string,
  log?: StoreLog,
  checked: CheckedSegments = new Map(),
  opening?: Opening,
): Promise<SurveyedLog> {
  // Listed first: a log that is being written has at least the entries that these names show.
  const names = await disk.list(directory);
  const manifest = await readManifest(disk, directory, names, log);
  const found = await surveySegments(disk, directory, checked, opening);
  if (found.damage !== undefined) return found;
  const lost = await findLostEnd(disk, directory, names, manifest, found);
  return { ...found, ...(manifest !== undefined && { manifest }), ...(lost !== undefined && { lost }) };
}

async function surveySegments(
  disk: Disk,
  directory: string,
  checked: CheckedSegments,
  opening: Opening | undefined,
): Promise<Pick<SurveyedLog, 'segments' | 'torn' | 'damage'>> {
  const names = await segmentNames(disk, directory);
  const all = opening === undefined ? 0 : await logBytes(disk, directory);
  let before = 0;
  const walked = (offset: number): void =>
    step(opening, { kind: 'check', done: mebibytes(before + offset), of: mebibytes(all), unit: 'MiB' });
  const segments: Segment[] = [];
  for (const [position, name] of names.entries()) {
    const last = position === names.length - 1;
    const nextEntry = segments.at(-1)?.nextEntry ?? 1;
    const secret = segments.at(-1)?.header.secret;
    const { segment, ...end } = await findSegment(
      disk,
      directory,
      name,
      nextEntry,
      secret,
      last ? 'last' : checked.get(nextEntry),
      walked,
    );
    if (segment !== undefined) segments.push(segment);
    before += segment?.end ?? 0;
    if (end.torn !== undefined || end.damage !== undefined) return { segments, ...end };
  }
  return { segments };
}

/**
 * Listed twice: a listing during the creation of segments may miss one and show the next. Every segment in the first
 * listing was created before the second one started, and so were all segments before it.
 */
async function segmentNames(disk: Disk, directory: string): Promise<readonly string[]> {
  const isSegment = (name: string): boolean => segmentFirstEntry(name) !== undefined;
  const last = (await disk.list(directory)).filter(isSegment).at(-1);
  if (last === undefined) return [];
  return (await disk.list(directory)).filter((name) => isSegment(name) && name <= last);
}

/** The good part of a segment, if it has one, and the problem that ends the log there. */
interface Found {
  readonly segment?: Segment;
  readonly torn?: TornTail;
  readonly damage?: Failure;
}

async function findSegment(
  disk: Disk,
  directory: string,
  name: string,
  nextEntry: number,
  secret: string | undefined,
  known: CheckedSegment | 'last' | undefined,
  walked: (offset: number) => void,
): Promise<Found> {
  const last = known === 'last';
  const damaged = (offset: number, problem: string): Found => ({
    damage: fail('R0405', { file: joinPath(directory, name), offset, problem }),
  });
  if (name !== segmentName(nextEntry)) return damaged(0, `the segment that starts at entry ${nextEntry} is missing`);
  const file = await disk.open(joinPath(directory, name), 'read');
  try {
    const size = await file.size();
    const header = await readSegmentHeader(file);
    if (header === undefined) {
      if (!last) return damaged(0, 'the segment has no good header');
      const later = await findLaterHeader(file, 0, size, nextEntry - 1, undefined);
      if (later !== undefined)
        return damaged(0, `the segment has no good header, and there is a frame at byte ${later}`);
      return { torn: { name, offset: undefined, problem: 'it has no header; it was never finished, or was emptied' } };
    }
    if (!readFormats.includes(header.format)) {
      const [found, known] = [`format ${header.format}`, `the formats ${readFormats.join(', ')}`];
      return { damage: fail('R0406', { file: joinPath(directory, name), found, known }) };
    }
    if (header.firstEntry !== nextEntry)
      return damaged(12, `the segment starts at entry ${header.firstEntry}, not ${nextEntry}`);
    if (secret !== undefined && header.secret !== secret) return damaged(28, 'the segment belongs to another store');
    const index = createFrameIndex();
    if (!last && known !== undefined && (await isUnchanged(file, size, header, known)))
      return { segment: { name, header, index, end: size, nextEntry: known.nextEntry, checked: known } };
    const range = { segmentId: header.id, offset: segmentHeaderBytes, nextEntry, end: size };
    const end = await walk(file, range, index, walked);
    const segment: Segment = { name, header, index, end: end.offset, nextEntry: end.nextEntry };
    if (end.problem === undefined) return { segment };
    const later = last ? await findLaterHeader(file, end.offset, size, end.nextEntry, header.id) : undefined;
    if (later !== undefined)
      return { segment, ...damaged(end.offset, `${end.problem}, and there is a later frame at byte ${later}`) };
    if (!last) return { segment, ...damaged(end.offset, `${end.problem}, and another segment follows`) };
    return { segment, torn: { name, offset: end.offset, problem: end.problem } };
  } finally {
    await file.close();
  }
}

/** Whether the file is still the one that was checked, and can be read at its end. */
async function isUnchanged(
  file: DiskFile,
  size: number,
  { id }: SegmentHeader,
  { id: checkedId, end, stamp, tail, nextEntry }: CheckedSegment,
): Promise<boolean> {
  if (id !== checkedId || size !== end || (await file.stamp()) !== stamp) return false;
  const range = { segmentId: id, offset: tail.offset, nextEntry: tail.firstEntry, end, window: frameIndexSpacing };
  const found = await walk(file, range, createFrameIndex(), () => undefined);
  return found.problem === undefined && found.nextEntry === nextEntry;
}

async function walk(
  file: DiskFile,
  range: Parameters<typeof scanSegment>[1],
  index: FrameIndex,
  walked: (offset: number) => void,
): Promise<SegmentEnd> {
  const scan = scanSegment(file, range);
  for (;;) {
    const next = await scan.next();
    if (next.done) return next.value;
    for (const frame of next.value) index.add(frame.header.firstEntry, frame.offset);
    walked(next.value.at(-1)?.offset ?? range.offset);
  }
}

const mebibytes = (bytes: number): number => Math.floor(bytes / (1024 * 1024));

async function readSegmentHeader(file: DiskFile): Promise<SegmentHeader | undefined> {
  const bytes = Buffer.alloc(segmentHeaderBytes);
  const filled = await file.read(bytes, 0);
  return decodeSegmentHeader(bytes.subarray(0, filled));
}
