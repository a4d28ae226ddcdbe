/**
 * Writes the events of a store as an archive that others read, or adds what is new to one (docs/archive.md). Takes their source, a folder and a form;
 * gives files and their manifest. An interrupted run is continued by the next one from its last manifest.
 */
import { isMissing } from '../../runtime/store/disk/node-disk.ts';
import { joinPath, type Disk } from '../../runtime/store/disk.ts';
import { openAggregateExport, archivedColumns, type AggregateExport } from './aggregate-export.ts';
import { ArchiveFault } from './archive-fault.ts';
import type { ArchiveSource, OpenSource, SourceAggregate } from './archive-source.ts';
import type { FormName } from './forms/form.ts';
import { loadForm } from './forms/form.ts';
import { findLeftovers } from './leftovers.ts';
import { readManifest, writeManifest, type ArchivedAggregate, type Manifest } from './manifest.ts';
import type { Wanted } from './survey-log.ts';

export interface ExportRequest {
  readonly source: OpenSource;
  readonly disk: Disk;
  /** Absolute; it may not exist. */
  readonly directory: string;
  readonly form: FormName;
  /** Without: all. */
  readonly aggregates?: readonly string[];
  /** Only events after this position, or from this time on; for a new archive. */
  readonly since?: Wanted;
  /** SENSITIVE values as they are. */
  readonly clear: boolean;
  /** Version of this schemac. */
  readonly version: string;
  readonly onProgress?: (what: 'surveyed' | 'exported', entry: number, of: number) => void;
  /** Number of events after which a manifest is written, from which an interrupted run continues. */
  readonly eventsBetweenManifests?: number;
}

export interface ExportReport {
  /** Events that were written by this run. */
  readonly events: number;
  readonly position: number;
  /** Aggregates whose files were rewritten, and why. */
  readonly rewritten: readonly { readonly aggregate: string; readonly because: string }[];
  /** Streams of aggregates that the registry no longer has. */
  readonly leftOut: readonly { readonly aggregate: string; readonly events: number }[];
  readonly unreadable: readonly string[];
}

const usualEvents = 1_048_576;
/** Rows that are not written yet take at most this much memory, for all aggregates together. */
const heldBytes = 96 * 1024 * 1024;

export async function exportArchive(request: ExportRequest): Promise<ExportReport> {
  const { disk, directory } = request;
  await disk.makeDirectory(directory);
  const lock = await disk.lock(directory);
  try {
    return await exportLocked(request);
  } finally {
    await lock.release();
  }
}

async function exportLocked(request: ExportRequest): Promise<ExportReport> {
  const { disk, directory, clear, version, onProgress = () => undefined } = request;
  const form = await loadForm(request.form);
  const existing = await readManifest(disk, directory);
  if (existing === undefined) await refuseOtherFiles(disk, directory);
  else checkSettings(existing, request);
  const wanted = existing === undefined ? (request.since ?? {}) : { position: existing.position };
  const source = await request.source(wanted, clear, (entry, of) => onProgress('surveyed', entry, of));
  if (existing !== undefined) checkHistory(existing, source, directory);
  const chosen = chooseAggregates(source.aggregates, request.aggregates);
  let manifest: Manifest = existing ?? newManifest(request, source);
  manifest = { ...manifest, version, registry: source.registry };
  if (existing === undefined) await writeManifest(disk, directory, manifest);
  for (const path of await findLeftovers(disk, directory, manifest)) await disk.remove(joinPath(directory, path));

  const rewritten: { aggregate: string; because: string }[] = [];
  const exports = new Map<string, AggregateExport>();
  for (const aggregate of chosen) {
    const archived = manifest.aggregates.find(({ name }) => name === aggregate.name);
    const because = archived && (await whyRewritten(archived, aggregate, disk, directory, !clear));
    if (because !== undefined) rewritten.push({ aggregate: aggregate.name, because });
    const kept = because === undefined ? archived : undefined;
    const replaced = because === undefined ? [] : (archived?.files ?? []);
    const { since } = manifest;
    exports.set(
      aggregate.name,
      openAggregateExport({ disk, directory, form, masked: !clear, aggregate, kept, replaced, since }),
    );
  }
  const commit: Commit = async ({ entry, position, eventId }, complete) => {
    const done = new Map<string, ArchivedAggregate>();
    for (const [name, one] of exports) done.set(name, await one.commit(entry, position));
    const others = manifest.aggregates.filter(({ name }) => !done.has(name));
    manifest = {
      ...manifest,
      ...(eventId !== undefined && position > manifest.position && { position, eventId }),
      complete,
      aggregates: [...others, ...done.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    };
    await writeManifest(disk, directory, manifest);
  };
  try {
    const events = await copyEvents({
      source,
      exports,
      commit,
      onProgress,
      most: request.eventsBetweenManifests ?? usualEvents,
    });
    const { leftOut, unreadable } = source;
    return { events, position: manifest.position, rewritten, leftOut, unreadable };
  } catch (error) {
    for (const one of exports.values()) await one.discard();
    throw error;
  }
}

type Commit = (
  end: { readonly entry: number; readonly position: number; readonly eventId: string | undefined },
  complete: boolean,
) => Promise<void>;

interface Copying {
  readonly source: ArchiveSource;
  readonly exports: ReadonlyMap<string, AggregateExport>;
  readonly commit: Commit;
  readonly onProgress: NonNullable<ExportRequest['onProgress']>;
  /** Events between manifests. */
  readonly most: number;
}

/** Gives the number of events that were written. */
async function copyEvents({ source, exports, commit, onProgress, most }: Copying): Promise<number> {
  let [events, sinceManifest, added] = [0, 0, 0];
  const after = new Map(Array.from(exports, ([name, one]) => [name, one.after]));
  for await (const some of source.events(after)) {
    for (const event of some) {
      const one = exports.get(event.aggregate);
      if (one === undefined || event.position <= one.after.position) continue;
      await one.add(event);
      events += 1;
      sinceManifest += 1;
      added += event.size;
    }
    if (added > heldBytes / 64) {
      await makeRoom(exports);
      added = 0;
    }
    const last = some.at(-1);
    if (last === undefined) continue;
    onProgress('exported', last.entry, source.entries);
    if (sinceManifest < most) continue;
    await commit({ entry: last.entry, position: last.position, eventId: last.id }, false);
    sinceManifest = 0;
  }
  await commit(source.end(), true);
  return events;
}

/** Many aggregates, or large events, make row groups smaller rather than take more memory. */
async function makeRoom(exports: ReadonlyMap<string, AggregateExport>): Promise<void> {
  for (;;) {
    let total = 0;
    let largest: AggregateExport | undefined;
    for (const one of exports.values()) {
      total += one.held();
      if (one.held() > (largest?.held() ?? 0)) largest = one;
    }
    if (total <= heldBytes || largest === undefined) return;
    await largest.flush();
  }
}

function newManifest({ form, clear, version, since }: ExportRequest, source: ArchiveSource): Manifest {
  return {
    schemac: 'archive',
    format: 1,
    version,
    store: source.store,
    form,
    masked: !clear,
    since: since?.position ?? (since?.time === undefined ? 0 : source.before),
    complete: false,
    registry: source.registry,
    position: 0,
    aggregates: [],
  };
}

async function refuseOtherFiles(disk: Disk, directory: string): Promise<void> {
  const other = (await disk.list(directory)).find((name) => !/^(lock\.|starting-|manifest\.json\.part$)/.test(name));
  if (other !== undefined)
    throw new ArchiveFault(
      `${directory} is no archive, but has '${other}'; name a new or empty folder, or one that an export wrote`,
    );
}

function checkSettings(manifest: Manifest, { directory, form, clear, since }: ExportRequest): void {
  const refuse = (problem: string): never => {
    throw new ArchiveFault(`the archive in ${directory} ${problem}`);
  };
  if (manifest.form !== form)
    refuse(`has files in ${manifest.form}; go on with --format ${manifest.form}, or export to a new folder`);
  if (manifest.masked && clear) refuse('is masked; go on without --clear, or export to a new folder');
  if (!manifest.masked && !clear)
    refuse('has sensitive values in the clear; go on with --clear, or export to a new folder');
  if (since !== undefined)
    refuse(`has a beginning already, and goes on after position ${manifest.position}; leave --since out`);
}

function checkHistory({ store, position, eventId }: Manifest, source: ArchiveSource, directory: string): void {
  if (store !== source.store)
    throw new ArchiveFault(`the archive in ${directory} is of another store; export this one to a new folder`);
  if (position === 0 || source.markId === eventId) return;
  throw new ArchiveFault(
    `the archive in ${directory} ends with event ${eventId} at position ${position}, which the log ${source.markId === undefined ? 'does not reach' : 'has another event for'}: it was made of another history; export to a new folder`,
  );
}

function chooseAggregates(
  all: readonly SourceAggregate[],
  names: readonly string[] | undefined,
): readonly SourceAggregate[] {
  if (names === undefined) return all;
  return names.map((name) => {
    const found = all.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (found !== undefined) return found;
    const known = all.length === 0 ? 'it has none' : `it has ${all.map((one) => one.name).join(', ')}`;
    throw new ArchiveFault(`the registry has no aggregate '${name}'; ${known}`);
  });
}

/** Why the files of an aggregate cannot stay; undefined if they can. */
async function whyRewritten(
  archived: ArchivedAggregate,
  aggregate: SourceAggregate,
  disk: Disk,
  directory: string,
  masked: boolean,
): Promise<string | undefined> {
  if (JSON.stringify(archived.columns) !== JSON.stringify(archivedColumns(aggregate, masked)))
    return 'its columns have changed';
  const changed = Object.entries(archived.readings).find(([type, reading]) => aggregate.readingOf(type) !== reading);
  if (changed !== undefined) return `event ${changed[0]} reads differently now`;
  for (const { path, bytes } of archived.files) {
    const size = await sizeOf(disk, joinPath(directory, path));
    if (size === undefined) return `${path} is missing`;
    if (size !== bytes) return `${path} has ${size} bytes instead of ${bytes}`;
  }
  return undefined;
}

async function sizeOf(disk: Disk, path: string): Promise<number | undefined> {
  try {
    const file = await disk.open(path, 'read');
    try {
      return await file.size();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
