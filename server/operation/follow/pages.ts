import { failures } from '../../../language/failure/catalogue.ts';
import { Failure } from '../../../language/failure/failure.ts';
import type { QueryOptions } from '../../../runtime/store/store.ts';
import type { Reader } from '../read/reader.ts';
import type { Printing } from './printing.ts';
import { positionColumn, type EventSource, type PositionRange } from './source.ts';

/** Some events as they are sent. */
export interface PrintedPage {
  readonly bytes: Uint8Array;
  readonly rows: number;
  /** Every event up to here was looked at. */
  readonly through: number;
  /** Tells of an event that took its stream away, and has no row. */
  readonly isLoss?: true;
}

export interface AskedPage {
  readonly source: EventSource;
  readonly form: Printing;
  readonly range: PositionRange;
  /** Rows that the stream may still have. */
  readonly most: number;
}

const nothing = new Uint8Array();

/** Reads the events of a range and prints them: by column where the form and all types allow it, which is many times faster, else by row. */
export async function readPage(reader: Reader, asked: AskedPage, options: QueryOptions): Promise<PrintedPage> {
  return (await readByColumn(reader, asked, options)) ?? readByRow(reader, asked, options);
}

async function readByColumn(
  reader: Reader,
  { source, form: { columns: print }, range, most }: AskedPage,
  options: QueryOptions,
): Promise<PrintedPage | undefined> {
  const reading = print === undefined ? undefined : source.readColumns(reader, range, options);
  if (print === undefined || reading === undefined) return undefined;
  try {
    const parts = await reading;
    const { bytes, rows, last } = print(reader.domain, parts, most);
    const all = parts.reduce((sum, { batch }) => sum + batch.rows, 0);
    return { bytes, rows, through: (rows < all ? last : undefined) ?? Number(range.until) };
  } catch (error) {
    // A value that does not fit the common type of its field is shown as it was stored, which only rows can.
    if (error instanceof Failure && failures[error.code].kind === 'schema') return undefined;
    throw error;
  }
}

async function readByRow(
  reader: Reader,
  { source, form, range, most }: AskedPage,
  options: QueryOptions,
): Promise<PrintedPage> {
  const { columns, rows: all } = await source.read(reader, range, options);
  const rows = all.length > most ? all.slice(0, most) : all;
  const last = rows.length < all.length ? rows.at(-1)?.[positionColumn(columns)] : undefined;
  const bytes = rows.length === 0 ? nothing : form.rows({ columns, rows });
  return { bytes, rows: rows.length, through: Number(last ?? range.until) };
}

/**
 * The newest pages of the log's end, for all followers that have caught up: a thousand of them with the same parameters read and print what is new
 * once.
 */
export interface SharedPages {
  /** The page of this key, read if it is not there. A failed reading is not kept. */
  readonly get: (key: string, read: () => Promise<PrintedPage>) => Promise<PrintedPage>;
  readonly clear: () => void;
}

/** A page that followers still send is theirs; these are for those that come to it a little later. */
const mostPages = 256;
const mostBytes = 4 * 1024 * 1024;

export function createSharedPages(): SharedPages {
  const pages = new Map<string, { readonly page: Promise<PrintedPage>; size: number }>();
  let size = 0;
  const drop = (key: string): void => {
    size -= pages.get(key)?.size ?? 0;
    pages.delete(key);
  };
  const trim = (): void => {
    for (const key of pages.keys()) {
      if (pages.size <= mostPages && size <= mostBytes) return;
      drop(key);
    }
  };
  return {
    get: (key, read) => {
      const known = pages.get(key);
      if (known !== undefined) return known.page;
      const entry = { page: read(), size: 0 };
      pages.set(key, entry);
      entry.page.then(
        ({ bytes }) => {
          if (pages.get(key) !== entry) return;
          entry.size = bytes.byteLength;
          size += entry.size;
          trim();
        },
        () => {
          if (pages.get(key) === entry) drop(key);
        },
      );
      return entry.page;
    },
    clear: () => {
      pages.clear();
      size = 0;
    },
  };
}
