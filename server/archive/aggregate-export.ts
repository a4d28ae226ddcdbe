/** The part of an export that concerns one aggregate: its files so far, the one that is being written, and what is put in place together. */
import { typeName } from '../../language/values/type.ts';
import { isMissing } from '../../runtime/store/disk/node-disk.ts';
import { joinPath, type Disk } from '../../runtime/store/disk.ts';
import type { SourceAggregate, SourceEvent } from './archive-source.ts';
import { openFileWriter, type FileWriter, type FinishedFile } from './file-writer.ts';
import type { ArchiveForm } from './forms/form.ts';
import type { ArchivedAggregate, ArchivedColumn, ArchivedFile } from './manifest.ts';

export interface AggregateExport {
  /** The entry and the position that it continues after. */
  readonly after: { readonly entry: number; readonly position: number };
  readonly add: (event: SourceEvent) => Promise<void>;
  /** The memory of rows that are not written yet. */
  readonly held: () => number;
  readonly flush: () => Promise<void>;
  /** Puts all that was added in place; gives what the manifest then says of the aggregate. */
  readonly commit: (entry: number, position: number) => Promise<ArchivedAggregate>;
  readonly discard: () => Promise<void>;
}

export interface AggregateExportOptions {
  readonly disk: Disk;
  readonly directory: string;
  readonly form: ArchiveForm;
  readonly masked: boolean;
  readonly aggregate: SourceAggregate;
  /** State of the archive that stays; undefined to begin with the first event after `since`. */
  readonly kept: ArchivedAggregate | undefined;
  /** Files that the first commit replaces. */
  readonly replaced: readonly ArchivedFile[];
  readonly since: number;
}

/** Memory of a row without its payload. */
const rowBytes = 400;

export function openAggregateExport(options: AggregateExportOptions): AggregateExport {
  const { disk, directory, form, aggregate, kept, since } = options;
  const after = { entry: kept?.entry ?? 0, position: kept?.position ?? since };
  const readings: Record<string, string> = { ...kept?.readings };
  let { replaced } = options;
  let files: readonly ArchivedFile[] = kept?.files ?? [];
  let finished: FinishedFile[] = [];
  let writer: FileWriter | undefined;
  const finish = async (): Promise<void> => {
    if (writer === undefined) return;
    finished.push(await writer.finish());
    writer = undefined;
  };
  return {
    after,
    add: async (event) => {
      if (event.position <= after.position) return;
      const month = monthOf(event.at);
      if (writer !== undefined && writer.month !== month) await finish();
      const { name, columns } = aggregate;
      writer ??= await openFileWriter({
        disk,
        directory,
        aggregate: name,
        month,
        columns,
        form,
        first: event.position,
      });
      readings[event.storedType] ??= aggregate.readingOf(event.storedType);
      await writer.add(event.row(), event.position, rowBytes + 2 * event.size);
    },
    held: () => writer?.held() ?? 0,
    flush: async () => writer?.flush(),
    commit: async (entry, position) => {
      await finish();
      for (const { path } of replaced) await removeFile(disk, joinPath(directory, path));
      const folders = new Set<string>();
      for (const { path, written } of finished) {
        await disk.rename(joinPath(directory, written), joinPath(directory, path));
        folders.add(path.slice(0, path.lastIndexOf('/')));
      }
      for (const folder of folders) await disk.syncDirectory(joinPath(directory, folder));
      // Its own folder and those of the months are new names, too.
      if (folders.size > 0) await disk.syncDirectory(joinPath(directory, aggregate.name));
      files = [...files, ...finished.map(({ written: _, ...file }) => file)];
      finished = [];
      replaced = [];
      return {
        name: aggregate.name,
        position: Math.max(position, after.position),
        entry: Math.max(entry, after.entry),
        columns: archivedColumns(aggregate, options.masked),
        readings: { ...readings },
        files,
      };
    },
    discard: async () => {
      await writer?.discard();
      writer = undefined;
      for (const { written } of finished) await removeFile(disk, joinPath(directory, written));
      finished = [];
    },
  };
}

export function archivedColumns({ columns }: SourceAggregate, masked: boolean): readonly ArchivedColumn[] {
  return columns.map(({ name, type, field, sensitive }) => ({
    name,
    type: typeName(type),
    ...(field !== undefined && { field }),
    ...(masked && sensitive && { masked: true as const }),
  }));
}

/** `2026-11` of µs since 1970, in UTC. */
export function monthOf(at: string): string {
  const iso = new Date(Number(BigInt(at) / 1000n)).toISOString();
  return iso.slice(0, iso.indexOf('-', 1) + 3);
}

async function removeFile(disk: Disk, path: string): Promise<void> {
  try {
    await disk.remove(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
