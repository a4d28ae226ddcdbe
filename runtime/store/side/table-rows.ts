/**
 * Rows of stored tables as lines of JSON in payload forms, page by page. Takes and gives the kept cells; other columns
 * are computed from them.
 */
import { fromPayload, toPayload } from '../../../language/values/payload.ts';
import type { Row } from '../query.ts';
import type { TableColumn } from './inspection-tables.ts';

export function keptColumns<C extends Pick<TableColumn, 'derived'>>(columns: readonly C[]): readonly C[] {
  return columns.filter(({ derived }) => derived === undefined);
}

/** Each row as a line, every line ended. */
export function encodeRows(columns: readonly TableColumn[], rows: readonly Row[]): string {
  const types = keptColumns(columns).map(({ type }) => type);
  return rows
    .map((row) => `${JSON.stringify(types.map((type, index) => toPayload(row[index] ?? null, type)))}\n`)
    .join('');
}

/** Lines of rows that are read together. */
export interface Lines {
  readonly rows: number;
  readonly lines: () => readonly string[];
}

/** The rows of stored lines, page by page, without the first `offset`. */
export async function* decodePages(
  columns: readonly TableColumn[],
  pages: AsyncIterable<Lines>,
  offset = 0,
): AsyncGenerator<readonly Row[], void, undefined> {
  const types = keptColumns(columns).map(({ type }) => type);
  let skip = offset;
  for await (const { rows, lines } of pages) {
    // A page of none for one that is left out: the reader may have a time limit.
    yield skip >= rows
      ? []
      : lines()
          .slice(skip, rows)
          .map((line) => decodeRow(types, line));
    skip = Math.max(0, skip - rows);
  }
}

function decodeRow(types: readonly TableColumn['type'][], line: string): Row {
  const cells = JSON.parse(line) as readonly unknown[];
  return types.map((type, index) => fromPayload(cells[index], type));
}

/** Completes stored rows: a cell for every column. */
export function createRowFiller(columns: readonly TableColumn[]): (kept: Row) => Row {
  const names = keptColumns(columns).map(({ name }) => name);
  if (names.length === columns.length) return (kept) => kept;
  const cells = columns.map(({ name, derived }): ((kept: Row) => Row[number]) => {
    const at = names.indexOf(derived?.from ?? name);
    if (derived === undefined) return (kept) => kept[at] ?? null;
    return (kept) => derived.texts[Number(kept[at] ?? 0) - 1] ?? null;
  });
  return (kept) => cells.map((cell) => cell(kept));
}
