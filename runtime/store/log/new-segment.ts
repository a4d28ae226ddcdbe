/** Makes the file of a segment, its header and its name durable before anything is written into it. */
import type { Disk, DiskFile } from '../disk.ts';
import { joinPath } from '../disk.ts';
import { createFrameIndex } from './frame-index.ts';
import type { Segment } from './recover.ts';
import { encodeSegmentHeader, logFormat, segmentHeaderBytes, segmentName, type SegmentHeader } from './segment.ts';

interface Place {
  readonly directory: string;
  readonly disk: Disk;
  readonly fsync: boolean;
}

export interface NewSegment {
  readonly segment: Segment;
  readonly file: DiskFile;
}

/**
 * Creates a segment in its own file. Header and name are made durable first: if header and frame were one write, a torn
 * one could leave the frame without the header, which looks like damage.
 */
export async function createSegment(
  { directory, disk, fsync }: Place,
  given: Omit<SegmentHeader, 'format'>,
): Promise<NewSegment> {
  const header = { ...given, format: logFormat };
  const name = segmentName(header.firstEntry);
  const file = await disk.open(joinPath(directory, name), 'create');
  return closedOnError(file, async () => {
    await file.write(encodeSegmentHeader(header), 0);
    if (fsync) {
      await file.sync();
      await disk.syncDirectory(directory);
    }
    return { segment: emptySegment(name, header), file };
  });
}

/**
 * Replaces a segment of an older format that has no frame yet by one of the present format: its name says its first
 * entry, so the next segment would have the same name. It keeps its id, because the manifest may have it. Written to a
 * temporary name and renamed, so that there is always a whole one.
 */
export async function replaceEmptySegment({ directory, disk }: Place, old: Segment): Promise<NewSegment> {
  const header = { ...old.header, format: logFormat };
  const made = `${old.name}.new`;
  // Left by a replacement that was killed.
  if ((await disk.list(directory)).includes(made)) await disk.remove(joinPath(directory, made));
  const file = await disk.open(joinPath(directory, made), 'create');
  return closedOnError(file, async () => {
    await file.write(encodeSegmentHeader(header), 0);
    await file.sync();
    await disk.rename(joinPath(directory, made), joinPath(directory, old.name));
    await disk.syncDirectory(directory);
    return { segment: emptySegment(old.name, header), file };
  });
}

async function closedOnError<T>(file: DiskFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await file.close();
    throw error;
  }
}

function emptySegment(name: string, header: SegmentHeader): Segment {
  return { name, header, index: createFrameIndex(), end: segmentHeaderBytes, nextEntry: header.firstEntry };
}
