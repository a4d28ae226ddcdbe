import { joinPath, type Disk, type DiskFile } from '../disk.ts';
import { isMissing } from '../disk/node-disk.ts';
import { fail } from '../../../language/failure/failure.ts';
import { decodeBody } from './frame.ts';
import { frameIndexSpacing, type FramePlace } from './frame-index.ts';
import type { Segment } from './recover.ts';
import { findHeader, scanSegment } from './scan.ts';
import { segmentHeaderBytes } from './segment.ts';

/**
 * Lines from entry `from` to entry `to`, a batch for each read of the disk, with checksums verified again; entries
 * removed meanwhile are an R0405.
 */
export async function* readLines(
  disk: Disk,
  directory: string,
  segments: readonly Segment[],
  from: number,
  to: number,
): AsyncGenerator<readonly string[], void, undefined> {
  for (let at = firstSegment(segments, from); at < segments.length; at += 1) {
    const segment = segments[at];
    if (segment === undefined || segment.header.firstEntry > to) return;
    yield* readSegment(disk, joinPath(directory, segment.name), segment, from, to);
  }
}

const fewEntries = 64;

async function* readSegment(
  disk: Disk,
  path: string,
  segment: Segment,
  from: number,
  to: number,
): AsyncGenerator<readonly string[], void, undefined> {
  const end = segment.end;
  const file = await openSegment(disk, path);
  try {
    const start = segment.index.before(from) ?? (await frameBefore(file, segment, from));
    const range = { segmentId: segment.header.id, offset: start.offset, nextEntry: start.firstEntry, end };
    // The frame of one entry starts within the spacing of the index, and those of a few are near it.
    const window = to - from < fewEntries ? frameIndexSpacing : undefined;
    const scan = scanSegment(file, window === undefined ? range : { ...range, window });
    for (;;) {
      const step = await scan.next();
      if (step.done) {
        if (step.value.problem === undefined) return;
        throw fail('R0405', { file: path, offset: step.value.offset, problem: step.value.problem });
      }
      // Frames of single commands are many and small: any work for each batch would cost more than the frames.
      const lines = step.value.flatMap(({ header, body }) => {
        if (header.firstEntry > to || header.firstEntry + header.entries <= from) return [];
        return decodeBody(body).slice(Math.max(0, from - header.firstEntry), to - header.firstEntry + 1);
      });
      if (lines.length > 0) yield lines;
      if ((step.value.at(-1)?.header.firstEntry ?? 0) > to) return;
    }
  } finally {
    await file.close();
  }
}

/** A frame at or before `entry`, near it, in a segment whose frames were not read yet: found by halving. */
async function frameBefore(file: DiskFile, { header, end }: Segment, entry: number): Promise<FramePlace> {
  let place: FramePlace = { firstEntry: header.firstEntry, offset: segmentHeaderBytes };
  let past = end;
  while (past - place.offset > frameIndexSpacing && place.firstEntry < entry) {
    const middle = Math.floor((place.offset + past) / 2);
    const found = await findHeader(
      file,
      { from: middle, end: past, window: frameIndexSpacing },
      (frame) => frame.segmentId === header.id,
    );
    if (found === undefined || found.firstEntry > entry) past = middle;
    else place = found;
  }
  return place;
}

async function openSegment(disk: Disk, path: string): Promise<DiskFile> {
  try {
    return await disk.open(path, 'read');
  } catch (error) {
    if (isMissing(error)) throw fail('R0405', { file: path, offset: 0, problem: 'the segment is missing' });
    throw error;
  }
}

/** Path of the segment that holds that entry. */
export function segmentPath(directory: string, segments: readonly Segment[], entry: number): string {
  const segment = segments[firstSegment(segments, entry)];
  return segment === undefined ? directory : joinPath(directory, segment.name);
}

function firstSegment(segments: readonly Segment[], entry: number): number {
  let at = segments.length - 1;
  while (at > 0 && (segments[at]?.header.firstEntry ?? 0) > entry) at -= 1;
  return Math.max(0, at);
}
