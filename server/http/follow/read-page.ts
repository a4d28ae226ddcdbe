import { failures } from '../../../language/failure/catalogue.ts';
import { Failure } from '../../../language/failure/failure.ts';
import type { QueryOptions } from '../../../runtime/store/store.ts';
import type { Call } from '../pipeline/route.ts';
import { positionColumn, type EventSource, type PositionRange } from './event-source.ts';
import type { FollowedForm } from './followed-form.ts';
import type { PrintedPage } from './followers.ts';
import { printColumns } from './print-columns.ts';

export interface AskedPage {
  readonly source: EventSource;
  readonly form: FollowedForm;
  readonly range: PositionRange;
  /** Rows that the stream may still have. */
  readonly most: number;
}

const nothing = new Uint8Array();

/** Reads the events of a range and prints them: by column where the form and all types allow it, which is many times faster, else by row. */
export async function readPage(call: Call, asked: AskedPage, options: QueryOptions): Promise<PrintedPage> {
  return (await readByColumn(call, asked, options)) ?? readByRow(call, asked, options);
}

async function readByColumn(
  call: Call,
  { source, form, range, most }: AskedPage,
  options: QueryOptions,
): Promise<PrintedPage | undefined> {
  const { around } = form;
  const reading = around === undefined ? undefined : source.readColumns(call, range, options);
  if (around === undefined || reading === undefined) return undefined;
  try {
    const parts = await reading;
    const { bytes, rows, last } = printColumns(call.domain, parts, around, most);
    const all = parts.reduce((sum, { batch }) => sum + batch.rows, 0);
    const through = rows < all ? last : undefined;
    return { bytes, rows, size: bytes.byteLength, through: through ?? Number(range.until) };
  } catch (error) {
    // A value that does not fit the common type of its field is shown as it was stored, which only rows can.
    if (error instanceof Failure && failures[error.code].kind === 'schema') return undefined;
    throw error;
  }
}

async function readByRow(
  call: Call,
  { source, form, range, most }: AskedPage,
  options: QueryOptions,
): Promise<PrintedPage> {
  const table = await source.read(call, range, options);
  const rows = table.rows.length > most ? table.rows.slice(0, most) : table.rows;
  const last = rows.length < table.rows.length ? rows.at(-1)?.[positionColumn(table.columns)] : undefined;
  const bytes = rows.length === 0 ? nothing : form.rows({ columns: table.columns, rows });
  return {
    bytes,
    rows: rows.length,
    size: bytes.byteLength,
    through: last === undefined ? Number(range.until) : Number(last),
  };
}
