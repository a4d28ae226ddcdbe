/**
 * The manifest: the segments of the log and how far it was durable when this was written. A log that is shorter has
 * lost its end.
 *
 * It is written after the entries it names are durable, and never during a commit: before the first frame of a new
 * segment, with a snapshot, at a start and at a stop. So a crash at any moment leaves a manifest that may claim too
 * little, but never too much.
 */
import { joinPath, wholeContent, withFile, type Disk, type StoreLog } from '../disk.ts';
import { replaceFile, sealed, unsealed } from '../side/sealed-file.ts';

export interface Manifest {
  /** In order. */
  readonly segments: readonly ManifestSegment[];
  /**
   * The last entry that is certainly durable; one less than the first of the last segment when that has no entry yet.
   */
  readonly lastEntry: number;
}
export interface ManifestSegment {
  readonly firstEntry: number;
  readonly id: bigint;
}

export const manifestName = 'log.manifest';
const format = 1;

/** Undefined if there is none, or an unreliable one, which is reported. */
export async function readManifest(
  disk: Disk,
  directory: string,
  names: readonly string[],
  log: StoreLog = () => undefined,
): Promise<Manifest | undefined> {
  if (!names.includes(manifestName)) return undefined;
  const bytes = await withFile(disk, joinPath(directory, manifestName), 'read', wholeContent);
  const manifest = decodeManifest(bytes.toString('latin1'));
  if (manifest === undefined) log('warn', `ignored ${manifestName}: its checksum does not hold`);
  return manifest;
}

export async function writeManifest(disk: Disk, directory: string, manifest: Manifest): Promise<void> {
  await replaceFile(disk, directory, manifestName, Buffer.from(encodeManifest(manifest)));
}

/** Whether both have the same content. */
export function isSameManifest(one: Manifest, other: Manifest): boolean {
  return encodeManifest(one) === encodeManifest(other);
}

export function encodeManifest({ segments, lastEntry }: Manifest): string {
  return sealed<Written>({
    format,
    lastEntry,
    segments: segments.map(({ firstEntry, id }) => [firstEntry, id.toString(16)] as const),
  });
}

/** Undefined when it is damaged, or has a format that this version does not know. */
export function decodeManifest(text: string): Manifest | undefined {
  const written = unsealed<Written>(text, format);
  return (
    written && {
      segments: written.segments.map(([firstEntry, id]) => ({ firstEntry, id: BigInt(`0x${id}`) })),
      lastEntry: written.lastEntry,
    }
  );
}

interface Written {
  readonly format: number;
  readonly lastEntry: number;
  readonly segments: readonly (readonly [firstEntry: number, id: string])[];
}
