/**
 * `log.checked`: the segments of which an owner of the log has checked or written every frame, and evidence that their files were not
 * changed since. A start does not read these again before it serves (`recheck.ts` does it afterwards). Derived: without it a start checks
 * every frame.
 */
import { joinPath, wholeContent, withFile, type Disk, type StoreLog } from '../disk.ts';
import { sealed, unsealed } from '../side/sealed-file.ts';

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
  const bytes = await withFile(disk, joinPath(directory, checkedName), 'read', wholeContent);
  const segments = decodeChecked(bytes.toString('latin1'));
  if (segments === undefined) log('warn', `ignored ${checkedName}: its checksum does not hold`);
  return new Map((segments ?? []).map((segment) => [segment.firstEntry, segment]));
}

export function encodeChecked(segments: readonly CheckedSegment[]): string {
  const rows = segments.map(({ firstEntry, nextEntry, id, end, stamp, tail }): Row => [
    firstEntry,
    nextEntry,
    id.toString(16),
    end,
    stamp,
    tail.firstEntry,
    tail.offset,
  ]);
  return sealed<Written>({ format, segments: rows });
}

/** Undefined when it is damaged, or has a format that this version does not know. */
export function decodeChecked(text: string): readonly CheckedSegment[] | undefined {
  return unsealed<Written>(text, format)?.segments.map(
    ([firstEntry, nextEntry, id, length, stamp, tailEntry, tailOffset]) => ({
      firstEntry,
      nextEntry,
      id: BigInt(`0x${id}`),
      end: length,
      stamp,
      tail: { firstEntry: tailEntry, offset: tailOffset },
    }),
  );
}

interface Written {
  readonly format: number;
  readonly segments: readonly Row[];
}

type Row = readonly [
  firstEntry: number,
  nextEntry: number,
  id: string,
  end: number,
  stamp: string,
  tailEntry: number,
  tailOffset: number,
];
