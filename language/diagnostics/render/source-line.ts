import { cellsOf, type Cell } from './visible.ts';

/** A source line as shown, cropped to a number of cells around the marked range. */
export interface ShownLine {
  readonly text: string;
  /** First cell and number of cells of a range of the line (0-based UTF-16 units); at least one cell. */
  readonly underline: (start: number, end: number) => { readonly from: number; readonly count: number };
}

const ellipsis = '…';

/** Shows a line in at most `width` cells, so that the range from `start` to `end` is visible, or its beginning if it is too long. */
export function showLine(line: string, start: number, end: number, width: number): ShownLine {
  // A visible character has at least one cell per unit of text, so three times the width suffices, zero-width characters included.
  const reach = width * 3;
  const from = boundary(line, start > reach ? start - reach : 0);
  const to = boundary(line, Math.min(line.length, start + reach));
  const cells = cellsOf(line.slice(from, to), from);
  const first = firstShown(cells, start, end, width);
  const last = lastShown(cells, first, width);
  const shown = cells.slice(first, last);
  const cutBefore = first > 0 || from > 0;
  const cutAfter = last < cells.length || to < line.length;
  const body = shown.map((cell) => cell.text).join('');
  return {
    text: `${cutBefore ? ellipsis : ''}${body}${cutAfter ? ellipsis : ''}`,
    underline: (a, b) => {
      const before = cellsWidth(shown.filter((cell) => cell.end <= a));
      const marked = cellsWidth(shown.filter((cell) => cell.end > a && cell.start < b));
      return { from: before + (cutBefore ? 1 : 0), count: Math.max(1, marked) };
    },
  };
}

function firstShown(cells: readonly Cell[], start: number, end: number, width: number): number {
  if (cellsWidth(cells) <= width) return 0;
  const focus = Math.max(
    0,
    cells.findIndex((cell) => cell.end > start),
  );
  const marked = cellsWidth(cells.filter((cell) => cell.end > start && cell.start < end));
  let room = Math.max(8, (width - Math.min(marked, width)) >> 1);
  let first = focus;
  while (first > 0 && room > 0) room -= cells[--first]?.width ?? 0;
  // Near the end of the line, free room after the range shows more text before it.
  while (first > 0 && cellsWidth(cells.slice(first - 1)) < width) first--;
  return first;
}

function lastShown(cells: readonly Cell[], first: number, width: number): number {
  let room = width - 2;
  if (cellsWidth(cells.slice(first)) <= width) return cells.length;
  let last = first;
  while (last < cells.length && room > 0) room -= cells[last++]?.width ?? 0;
  return last;
}

function cellsWidth(cells: readonly Cell[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0);
}

/** Never between the halves of a surrogate pair. */
function boundary(line: string, at: number): number {
  const code = line.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
