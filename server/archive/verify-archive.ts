/** Holds an archive against its manifest and against the log that it was made from, without changing either. */
import { createHash, type Hash } from 'node:crypto';
import { jsonObjects } from '../http/representation/json.ts';
import { isMissing } from '../../runtime/store/disk/node-disk.ts';
import { joinPath, type Disk } from '../../runtime/store/disk.ts';
import type { CommandEntry, LogEntry, StoredEvent } from '../../runtime/store/entry.ts';
import type { OpenLog } from '../../runtime/store/transfer/open-log.ts';
import { archivedColumns } from './aggregate-export.ts';
import { ArchiveFault } from './archive-fault.ts';
import { findLeftovers } from './leftovers.ts';
import { manifestName, readManifest, type ArchivedAggregate, type Manifest } from './manifest.ts';
import { operator, owner } from '../operation/caller.ts';
import { storeName } from '../operation/export/archive-lines.ts';
import { readableAggregates, type ReadableAggregate } from '../operation/export/readable-aggregate.ts';
import { readLog } from './readable-log.ts';

export type ArchiveFinding =
  | {
      readonly finding: 'aggregate';
      readonly aggregate: string;
      readonly files: number;
      readonly events: number;
      readonly position: number;
    }
  /** The archive is right, but something about it should be known. */
  | { readonly finding: 'note'; readonly problem: string }
  | { readonly finding: 'damage'; readonly problem: string };

export interface VerifyRequest {
  readonly log: OpenLog;
  readonly disk: Disk;
  readonly directory: string;
  readonly version: string;
}

/**
 * Every byte of every file against its checksum, and every row against the log. Files of an aggregate that the registry reads differently by
 * now are compared with the log by the number of their events alone.
 */
export async function* verifyArchive(request: VerifyRequest): AsyncGenerator<ArchiveFinding, void, undefined> {
  const { log, disk, directory, version } = request;
  const manifest = await readManifest(disk, directory);
  if (manifest === undefined) throw new ArchiveFault(`${directory} is no archive: it has no ${manifestName}`);
  if (!manifest.complete) yield note('the last export was interrupted; the next one goes on from here');
  for (const path of await findLeftovers(disk, directory, manifest))
    yield damage(`${path} is not in the manifest, but readers of the folder count it; the next export removes it`);
  for (const { files } of manifest.aggregates) for (const file of files) yield* checkFile(disk, directory, file);
  if (manifest.store !== storeName(log.secret)) {
    yield damage('the archive is of another store');
    return;
  }
  const { survey, domain } = await readLog(log, version, { position: manifest.position });
  const aggregates = readableAggregates(domain, manifest.masked ? operator : owner);
  if (manifest.position > 0 && survey.markId !== manifest.eventId) {
    yield damage(
      `the archive ends with event ${manifest.eventId} at position ${manifest.position}, which the log does not have there`,
    );
    return;
  }
  const checks = manifest.aggregates.map((archived) =>
    createCheck(
      archived,
      aggregates.find(({ name }) => name === archived.name),
      manifest,
    ),
  );
  const byName = new Map(checks.map((check) => [check.name, check]));
  for await (const entry of log.read(1)) {
    if (entry.kind !== 'command') continue;
    for (const event of entry.events) byName.get(event.streamType)?.take(entry, event);
  }
  for (const check of checks) yield* check.end();
}

function note(problem: string): ArchiveFinding {
  return { finding: 'note', problem };
}
function damage(problem: string): ArchiveFinding {
  return { finding: 'damage', problem };
}

const pieceBytes = 1024 * 1024;

async function* checkFile(
  disk: Disk,
  directory: string,
  { path, bytes, sha256 }: ArchivedAggregate['files'][number],
): AsyncGenerator<ArchiveFinding, void, undefined> {
  try {
    const file = await disk.open(joinPath(directory, path), 'read');
    try {
      const piece = Buffer.allocUnsafe(pieceBytes);
      const hash = createHash('sha256');
      let at = 0;
      for (let read = await file.read(piece, at); read > 0; read = await file.read(piece, at)) {
        hash.update(piece.subarray(0, read));
        at += read;
      }
      if (at !== bytes) yield damage(`${path} has ${at} bytes instead of ${bytes}`);
      else if (hash.digest('hex') !== sha256) yield damage(`${path} was changed: its SHA-256 is another one`);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
    yield damage(`${path} is missing`);
  }
}

interface Check {
  readonly name: string;
  readonly take: (entry: CommandEntry & LogEntry, event: StoredEvent) => void;
  readonly end: () => Iterable<ArchiveFinding>;
}

/** Takes the events of an aggregate in order. */
function createCheck(
  archived: ArchivedAggregate,
  aggregate: ReadableAggregate | undefined,
  { masked, since }: Manifest,
): Check {
  const { name, files } = archived;
  const same = aggregate !== undefined && readsAsArchived(archived, aggregate, masked) ? aggregate : undefined;
  const line = same && jsonObjects(same.columns);
  const problems: ArchiveFinding[] = [];
  let [at, events, inFile, outside] = [0, 0, 0, 0];
  let hash: Hash | undefined;
  const endFile = (): void => {
    const file = files[at];
    if (file === undefined) return;
    if (inFile !== file.events)
      problems.push(damage(`${file.path}: the manifest has ${file.events} events for it, the log ${inFile}`));
    else if (same !== undefined && hash?.digest('hex') !== file.rows)
      problems.push(damage(`${file.path}: its rows are not those of the log`));
    at += 1;
    inFile = 0;
    hash = undefined;
  };
  return {
    name,
    take: (entry, event) => {
      const { position } = event;
      if (position <= since || position > archived.position) return;
      events += 1;
      while (position > (files[at]?.last ?? Number.POSITIVE_INFINITY)) endFile();
      const file = files[at];
      if (file === undefined || position < file.first) {
        if (outside === 0) problems.push(damage(`${name}: the event at position ${position} is in no file`));
        outside += 1;
        return;
      }
      inFile += 1;
      if (same === undefined || line === undefined) return;
      hash ??= createHash('sha256');
      hash.update(`${line(same.row(entry, event))}\n`);
    },
    *end() {
      while (at < files.length) endFile();
      if (same === undefined)
        yield note(
          aggregate === undefined
            ? `${name}: the registry no longer has this aggregate; its files stay as they are`
            : `${name}: the registry reads its events differently by now, so only their number is compared; the next export rewrites its files`,
        );
      yield* problems;
      yield { finding: 'aggregate', aggregate: name, files: files.length, events, position: archived.position };
    },
  };
}

function readsAsArchived({ columns, readings }: ArchivedAggregate, now: ReadableAggregate, masked: boolean): boolean {
  return (
    JSON.stringify(columns) === JSON.stringify(archivedColumns(now, masked)) &&
    Object.entries(readings).every(([type, reading]) => now.readingOf(type) === reading)
  );
}
