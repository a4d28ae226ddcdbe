/**
 * `log.checked`: the segments of which an owner of the log has checked or written every frame, and evidence that their files were not
 * changed since. A start does not read these again before it serves (`recheck.ts` does it afterwards). Derived: without it a start checks
 * every frame.
 */
import { crc32 } from 'node:zlib';
import { joinPath, type Disk, type StoreLog } from '../disk.ts';

/** A segment that gets no further frames. */
export interface CheckedSegment {
  readonly firstEntry: number;
  readonly nextEntry: number;
  readonly id: bigint;
  /** Length of the file, and end of its last frame. */
  readonly end: number;
  /** `DiskFile.stamp` of the file. */
  readonly stamp: string;
  /** A frame near the end, from which a start reads on to the end. */
  readonly tail: { readonly firstEntry: number; readonly offset: number };
}

export const checkedName = 'log.checked';
const format = 1;

/** By first entry; empty if there is none, or an unreliable one, which is reported. */
export async function readChecked(
  disk: Disk,
  directory: string,
  log: StoreLog,
): Promise<ReadonlyMap<number, CheckedSegment>> {
  if (!(await disk.list(directory)).includes(checkedName)) return new Map();
  const file = await disk.open(joinPath(directory, checkedName), 'read');
  try {
    const bytes = Buffer.alloc(await file.size());
    const segments = decodeChecked(bytes.subarray(0, await file.read(bytes, 0)).toString('latin1'));
    if (segments === undefined) log('warn', `ignored ${checkedName}: its checksum does not hold`);
    return new Map((segments ?? []).map((segment) => [segment.firstEntry, segment]));
  } finally {
    await file.close();
  }
}

/** A line of JSON, and a line with its CRC-32. */
export function encodeChecked(segments: readonly CheckedSegment[]): string {
  const rows = segments.map(({ firstEntry, nextEntry, id, end, stamp, tail }): Written => [
    firstEntry,
    nextEntry,
    id.toString(16),
    end,
    stamp,
    tail.firstEntry,
    tail.offset,
  ]);
  const line = `${JSON.stringify({ format, segments: rows })}\n`;
  return `${line}${checksumOf(line)}\n`;
}

/** Undefined when it is damaged, or has a format that this version does not know. */
export function decodeChecked(text: string): readonly CheckedSegment[] | undefined {
  const end = text.indexOf('\n') + 1;
  if (end === 0 || text.slice(end) !== `${checksumOf(text.slice(0, end))}\n`) return undefined;
  const written = JSON.parse(text.slice(0, end)) as { readonly format: number; readonly segments: readonly Written[] }; // the checksum is correct, so this is what was written
  if (written.format !== format) return undefined;
  return written.segments.map(([firstEntry, nextEntry, id, length, stamp, tailEntry, tailOffset]) => ({
    firstEntry,
    nextEntry,
    id: BigInt(`0x${id}`),
    end: length,
    stamp,
    tail: { firstEntry: tailEntry, offset: tailOffset },
  }));
}

type Written = readonly [
  firstEntry: number,
  nextEntry: number,
  id: string,
  end: number,
  stamp: string,
  tailEntry: number,
  tailOffset: number,
];

function checksumOf(line: string): string {
  return crc32(line).toString(16).padStart(8, '0');
}
