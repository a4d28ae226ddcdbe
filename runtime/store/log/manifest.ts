/**
 * The manifest: the segments of the log and how far it was durable when this was written. A log that is shorter has
 * lost its end.
 *
 * It is written after the entries it names are durable, and never during a commit: before the first frame of a new
 * segment, with a snapshot, at a start and at a stop. So a crash at any moment leaves a manifest that may claim too
 * little, but never too much.
 */
import { crc32 } from 'node:zlib';
import { joinPath, type Disk, type StoreLog } from '../disk.ts';
import { replaceFile } from './replace-file.ts';

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
  const file = await disk.open(joinPath(directory, manifestName), 'read');
  try {
    const bytes = Buffer.alloc(await file.size());
    const manifest = decodeManifest(bytes.subarray(0, await file.read(bytes, 0)).toString('latin1'));
    if (manifest === undefined) log('warn', `ignored ${manifestName}: its checksum does not hold`);
    return manifest;
  } finally {
    await file.close();
  }
}

export async function writeManifest(disk: Disk, directory: string, manifest: Manifest): Promise<void> {
  await replaceFile(disk, directory, manifestName, Buffer.from(encodeManifest(manifest)));
}

/** Whether both have the same content. */
export function isSameManifest(one: Manifest, other: Manifest): boolean {
  return encodeManifest(one) === encodeManifest(other);
}

/** A line of JSON, and a line with its CRC-32. */
export function encodeManifest({ segments, lastEntry }: Manifest): string {
  const rows = segments.map(({ firstEntry, id }) => [firstEntry, id.toString(16)]);
  const line = `${JSON.stringify({ format, lastEntry, segments: rows })}\n`;
  return `${line}${crc32(line).toString(16).padStart(8, '0')}\n`;
}

/** Undefined when it is damaged, or has a format that this version does not know. */
export function decodeManifest(text: string): Manifest | undefined {
  const end = text.indexOf('\n') + 1;
  if (end === 0 || text.slice(end) !== `${crc32(text.slice(0, end)).toString(16).padStart(8, '0')}\n`) return undefined;
  const written = JSON.parse(text.slice(0, end)) as Written; // the checksum is correct, so this is what was written
  if (written.format !== format) return undefined;
  const segments = written.segments.map(([firstEntry, id]) => ({ firstEntry, id: BigInt(`0x${id}`) }));
  return { segments, lastEntry: written.lastEntry };
}

interface Written {
  readonly format: number;
  readonly lastEntry: number;
  readonly segments: readonly (readonly [firstEntry: number, id: string])[];
}
