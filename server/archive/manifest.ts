/**
 * The manifest of an archive: the content of each of its files, and the position of the store up to which they go
 * (docs/archive.md#the-manifest). It is replaced atomically, after the files that it names are durable.
 */
import { isMissing } from '../../runtime/store/disk/node-disk.ts';
import { joinPath, type Disk } from '../../runtime/store/disk.ts';
import { ArchiveFault } from './archive-fault.ts';
import { formNames, type FormName } from './forms/form.ts';

export interface Manifest {
  readonly schemac: 'archive';
  readonly format: 1;
  /** Version of the schemac that wrote it last. */
  readonly version: string;
  /** Names the store; the same for every copy of its log. */
  readonly store: string;
  readonly form: FormName;
  /** Whether values of SENSITIVE fields are masked. */
  readonly masked: boolean;
  /** Events up to this position were not asked for. */
  readonly since: number;
  /** False while a run is not done, or was interrupted: the aggregates differ in their positions. */
  readonly complete: boolean;
  /** Number of schema entries in force at the last run. */
  readonly registry: number;
  /** The last event of the store that a run has seen; position 0 without id when there was none. */
  readonly position: number;
  readonly eventId?: string;
  readonly aggregates: readonly ArchivedAggregate[];
}

export interface ArchivedAggregate {
  readonly name: string;
  /** Its events are in the archive up to this position, and up to this entry of the log. */
  readonly position: number;
  readonly entry: number;
  readonly columns: readonly ArchivedColumn[];
  /** By stored type of the events in the files, a hash of how they were read. */
  readonly readings: Readonly<Record<string, string>>;
  /** In the order of their events. */
  readonly files: readonly ArchivedFile[];
}

export interface ArchivedColumn {
  readonly name: string;
  /** The type in the language's spelling, such as `DECIMAL(12,2)`. */
  readonly type: string;
  /** The payload field that it shows. */
  readonly field?: string;
  readonly masked?: true;
}

export interface ArchivedFile {
  /** Relative to the folder of the archive: `Bike/month=2026-11/events-1-70000.parquet`. */
  readonly path: string;
  readonly events: number;
  /** Positions of its first and last event. */
  readonly first: number;
  readonly last: number;
  readonly bytes: number;
  /** Hex, of the file. */
  readonly sha256: string;
  /** Hex, of its rows as lines of JSON: the same in every form. */
  readonly rows: string;
}

export const manifestName = 'manifest.json';

/** Undefined where there is none. Throws an `ArchiveFault` if it is not one that this version reads. */
export async function readManifest(disk: Disk, directory: string): Promise<Manifest | undefined> {
  const path = joinPath(directory, manifestName);
  let text: string;
  try {
    const file = await disk.open(path, 'read');
    try {
      const bytes = Buffer.alloc(await file.size());
      text = bytes.subarray(0, await file.read(bytes, 0)).toString('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const manifest = parsed(text);
  if (!isManifest(manifest)) throw new ArchiveFault(`${path} is not a manifest of an archive that this version reads`);
  return manifest;
}

export async function writeManifest(disk: Disk, directory: string, manifest: Manifest): Promise<void> {
  const made = joinPath(directory, `${manifestName}.part`);
  if ((await disk.list(directory)).includes(`${manifestName}.part`)) await disk.remove(made);
  const file = await disk.open(made, 'create');
  try {
    await file.write(Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`), 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.rename(made, joinPath(directory, manifestName));
  await disk.syncDirectory(directory);
}

/** The name of a file, which shows its events; of another file undefined. */
export function eventFileName(first: number, last: number, extension: string): string {
  return `events-${first}-${last}${extension}`;
}

/** Whether a file of that name in a month's folder is one that exports write. */
export function isEventFileName(name: string): boolean {
  return /^events-\d{1,16}(-\d{1,16})?\.(parquet|csv|jsonl|arrows)(\.part)?$/.test(name);
}

export function isMonthFolder(name: string): boolean {
  return /^month=[+-]?\d{4,6}-\d\d$/.test(name);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isManifest(value: unknown): value is Manifest {
  return (
    isObject(value) &&
    value['schemac'] === 'archive' &&
    value['format'] === 1 &&
    typeof value['store'] === 'string' &&
    formNames.some((name) => name === value['form']) &&
    typeof value['masked'] === 'boolean' &&
    isCount(value['since']) &&
    typeof value['complete'] === 'boolean' &&
    isCount(value['position']) &&
    (value['eventId'] === undefined || typeof value['eventId'] === 'string') &&
    isListOf(value['aggregates'], isAggregate)
  );
}

function isAggregate(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { name, position, entry, columns, readings, files } = value;
  return (
    typeof name === 'string' &&
    isCount(position) &&
    isCount(entry) &&
    isListOf(columns, (one) => isObject(one) && typeof one['name'] === 'string' && typeof one['type'] === 'string') &&
    isObject(readings) &&
    Object.values(readings).every((one) => typeof one === 'string') &&
    isListOf(files, (file) => isFile(file, name))
  );
}

/** Its path decides what is read, replaced and removed, so it may lead to nothing else. */
function isFile(value: unknown, aggregate: string): boolean {
  if (!isObject(value)) return false;
  const { path, events, first, last, bytes, sha256, rows } = value;
  if (typeof path !== 'string') return false;
  const [folder, month = '', name = '', ...rest] = path.split('/');
  return (
    folder === aggregate &&
    !/[/\\.]/.test(aggregate) &&
    isMonthFolder(month) &&
    isEventFileName(name) &&
    rest.length === 0 &&
    [events, first, last, bytes].every(isCount) &&
    typeof sha256 === 'string' &&
    typeof rows === 'string'
  );
}
