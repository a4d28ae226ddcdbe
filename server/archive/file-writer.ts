/** Writes one file of an archive under a temporary name: rows are collected, and written a group at a time. */
import { createHash } from 'node:crypto';
import { jsonObjects } from '../http/representation/json.ts';
import { joinPath, type Disk } from '../../runtime/store/disk.ts';
import type { Row } from '../../runtime/store/store.ts';
import type { ArchiveColumn } from '../operation/export/archive-columns.ts';
import type { ArchiveForm } from './forms/form.ts';
import { eventFileName, type ArchivedFile } from './manifest.ts';

export interface FileWriter {
  readonly month: string;
  /** `bytes` estimates the memory of the row. */
  readonly add: (row: Row, position: number, bytes: number) => Promise<void>;
  /** The memory of rows that are not written yet. */
  readonly held: () => number;
  /** Writes these rows. */
  readonly flush: () => Promise<void>;
  /** Makes the file durable under its temporary name. */
  readonly finish: () => Promise<FinishedFile>;
  readonly discard: () => Promise<void>;
}

export interface FinishedFile extends ArchivedFile {
  /** Its path now. */
  readonly written: string;
}

export interface FileOptions {
  readonly disk: Disk;
  readonly directory: string;
  readonly aggregate: string;
  readonly month: string;
  readonly columns: readonly ArchiveColumn[];
  readonly form: ArchiveForm;
  /** Position of the first event. */
  readonly first: number;
}

export async function openFileWriter(options: FileOptions): Promise<FileWriter> {
  const { disk, columns, form, month, first } = options;
  const folder = `${options.aggregate}/month=${month}`;
  await disk.makeDirectory(joinPath(options.directory, folder));
  const written = `${folder}/events-${first}${form.extension}.part`;
  const file = await disk.open(joinPath(options.directory, written), 'create');
  const encoder = form.begin(columns);
  const line = jsonObjects(columns);
  const [fileHash, rowsHash] = [createHash('sha256'), createHash('sha256')];
  let [bytes, events, last, held] = [0, 0, first, 0];
  let rows: Row[] = [];
  const write = async (piece: Uint8Array): Promise<void> => {
    if (piece.length === 0) return;
    fileHash.update(piece);
    await file.write(piece, bytes);
    bytes += piece.length;
  };
  const flush = async (): Promise<void> => {
    if (rows.length === 0) return;
    const some = rows;
    rows = [];
    held = 0;
    rowsHash.update(some.map((row) => `${line(row)}\n`).join(''));
    await write(encoder.rows(some));
  };
  await write(encoder.head());
  return {
    month,
    add: async (row, position, size) => {
      rows.push(row);
      held += size;
      events += 1;
      last = position;
      if (rows.length >= form.rows) await flush();
    },
    held: () => held,
    flush,
    finish: async () => {
      await flush();
      await write(encoder.end());
      await file.sync();
      await file.close();
      const path = `${folder}/${eventFileName(first, last, form.extension)}`;
      const [sha256, content] = [fileHash.digest('hex'), rowsHash.digest('hex')];
      return { path, events, first, last, bytes, sha256, rows: content, written };
    },
    discard: async () => {
      await file.close();
      await disk.remove(joinPath(options.directory, written));
    },
  };
}
