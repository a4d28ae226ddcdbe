/** A form of files: the way in which rows become the bytes of a file. */
import type { Row } from '../../../runtime/store/store.ts';
import type { ArchiveColumn } from '../../operation/export/archive-columns.ts';

export const formNames = ['parquet', 'csv', 'csv=safe', 'jsonl', 'arrow'] as const;
export type FormName = (typeof formNames)[number];

export interface ArchiveForm {
  readonly name: FormName;
  /** Extension of its files, with the dot. */
  readonly extension: string;
  /** The most rows that are written at once. */
  readonly rows: number;
  readonly begin: (columns: readonly ArchiveColumn[]) => FileEncoder;
}

/** The bytes of one file, in order. A call gives bytes that are valid until the next one. */
export interface FileEncoder {
  readonly head: () => Uint8Array;
  /** At least one row, at most the form's. */
  readonly rows: (rows: readonly Row[]) => Uint8Array;
  readonly end: () => Uint8Array;
}

/** Loads only what this form needs. */
export async function loadForm(name: FormName): Promise<ArchiveForm> {
  switch (name) {
    case 'parquet':
      return (await import('./parquet.ts')).parquetForm;
    case 'arrow':
      return (await import('./arrow.ts')).arrowForm;
    case 'csv':
      return (await import('./text.ts')).csvForm;
    case 'csv=safe':
      return (await import('./text.ts')).safeCsvForm;
    case 'jsonl':
      return (await import('./text.ts')).linesForm;
  }
}
