/**
 * Finds out whether a log has lost its end: whether the manifest or a snapshot names entries, or a segment, that the
 * log no longer has. A crash never causes that, since both are written after the entries they name are durable.
 */
import { crc32 } from 'node:zlib';
import { fail, type Failure } from '../../../language/failure/failure.ts';
import { joinPath, type Disk } from '../disk.ts';
import { snapshotNames, type SnapshotName } from '../snapshot-name.ts';
import type { Manifest } from './manifest.ts';
import type { SurveyedLog } from './recover.ts';
import { endsInside } from './scan.ts';
import { segmentName } from './segment.ts';

export interface LostEnd {
  /** The first missing entry. */
  readonly first: number;
  /** The last known entry, at least `first - 1`. */
  readonly last: number;
  readonly problem: string;
}

/** The segments of the log, and why the last of them ends before its file does. */
type FoundSegments = Pick<SurveyedLog, 'segments' | 'torn'>;

/** `names`: the files of the directory, listed before the log was read. */
export async function findLostEnd(
  disk: Disk,
  directory: string,
  names: readonly string[],
  manifest: Manifest | undefined,
  found: FoundSegments,
): Promise<LostEnd | undefined> {
  const { segments } = found;
  const byManifest = manifest === undefined ? undefined : lostByManifest(manifest, found);
  const end = (segments.at(-1)?.nextEntry ?? 1) - 1;
  const [snapshot] = await snapshotsBeyond(disk, directory, names, end);
  if (snapshot === undefined) return byManifest;
  const last = Math.max(byManifest?.last ?? 0, snapshot.entry);
  if (byManifest !== undefined) return { ...byManifest, last };
  const ends = end === 0 ? 'there is no log' : `the log ends at entry ${end}`;
  return { first: end + 1, last, problem: `${ends}, and ${snapshot.name} shows entry ${snapshot.entry}` };
}

/** Intact snapshots past the end of the log, newest first. */
export async function snapshotsBeyond(
  disk: Disk,
  directory: string,
  names: readonly string[],
  end: number,
): Promise<readonly SnapshotName[]> {
  const beyond: SnapshotName[] = [];
  for (const snapshot of snapshotNames(names)) {
    if (snapshot.entry > end && (await isWhole(disk, joinPath(directory, snapshot.name), snapshot.checksum)))
      beyond.push(snapshot);
  }
  return beyond;
}

export function lostEndFailure(directory: string, { first, last, problem }: LostEnd): Failure {
  const lost =
    last < first
      ? `entries from ${first} on, if there were any, are gone`
      : first === last
        ? `entry ${first} is gone`
        : `entries ${first} to ${last} are gone`;
  return fail('R0412', { directory, problem, lost, first });
}

function lostByManifest(
  { segments: recorded, lastEntry }: Manifest,
  { segments: found, torn }: FoundSegments,
): LostEnd | undefined {
  for (const [index, { firstEntry, id }] of recorded.entries()) {
    const name = segmentName(firstEntry);
    const segment = found.find(({ header }) => header.firstEntry === firstEntry);
    const gone = (first: number, problem: string): LostEnd => ({ first, last: lastEntry, problem });
    if (segment === undefined) return gone(firstEntry, `${name} is missing or emptied`);
    if (segment.header.id !== id)
      return gone(firstEntry, `${name} is another segment than the one that was written here`);
    const next = recorded[index + 1]?.firstEntry ?? lastEntry + 1;
    if (segment.nextEntry < next) {
      const isWhole = torn?.name === name && torn.problem !== endsInside;
      const how = isWhole
        ? `cannot be read from byte ${torn.offset ?? 0} on (${torn.problem})`
        : 'is shorter than it was';
      return gone(segment.nextEntry, `${name} ${how}`);
    }
  }
  return undefined;
}

const chunkBytes = 1024 * 1024;

async function isWhole(disk: Disk, path: string, checksum: number): Promise<boolean> {
  const file = await disk.open(path, 'read');
  try {
    const chunk = Buffer.alloc(chunkBytes);
    let sum = 0;
    for (let at = 0; ;) {
      const filled = await file.read(chunk, at);
      if (filled === 0) return sum === checksum;
      sum = crc32(chunk.subarray(0, filled), sum);
      at += filled;
    }
  } finally {
    await file.close();
  }
}
