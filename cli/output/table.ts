/**
 * Tables for people. Takes a result, gives text: columns as wide as their content, narrowed to the terminal, or one record below the other
 * if that does not fit or was requested. Narrowed cells are cut; records show every value in full.
 */
import { cellWidth } from '../../language/diagnostics/render/cell-width.ts';
import { visibleText } from '../../language/diagnostics/render/visible.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import { fitText, foldText, shrinkWidths } from './fit.ts';
import { cellLines, isNumeric } from './value-text.ts';

export interface TableOptions {
  /** Cells of a line; undefined without a limit. */
  readonly width: number | undefined;
  /** `\x`: one record below the other. */
  readonly expanded: boolean;
}

/** Minimum width of a cut column; below it, records are shown one below the other. */
const leastWidth = 8;

/** The table and its count of rows, every line ended. */
export function renderTable(table: Table, options: TableOptions): string {
  const count = `(${table.rows.length} ${table.rows.length === 1 ? 'row' : 'rows'})\n`;
  if (table.columns.length === 0) return count;
  const names = table.columns.map((column) => visibleText(column.name));
  const cells = table.rows.map((row) =>
    table.columns.map((column, index) => cellLines(row[index] ?? null, column.type)),
  );
  const widths = names.map((name, index) => widest(name, cells, index));
  const between = 3 * names.length - 1;
  const fitted = options.width === undefined ? widths : shrinkWidths(widths, options.width - between, leastWidth);
  const total = fitted.reduce((sum, width) => sum + width, between);
  const records = options.expanded || (options.width !== undefined && total > options.width);
  if (records) return renderRecords(names, cells, options.width) + count;
  const sides = table.columns.map((column) => (isNumeric(column.type) ? 'right' : 'left'));
  return renderGrid(names, cells, fitted, sides) + count;
}

type Cells = readonly (readonly (readonly string[])[])[];

function widest(name: string, cells: Cells, index: number): number {
  let width = cellWidth(name);
  for (const row of cells) for (const line of row[index] ?? []) width = Math.max(width, cellWidth(line));
  return width;
}

function renderGrid(
  names: readonly string[],
  cells: Cells,
  widths: readonly number[],
  sides: readonly ('left' | 'right')[],
): string {
  const line = (texts: readonly string[], side: (index: number) => 'left' | 'right'): string =>
    ` ${texts.map((text, index) => fitText(text, widths[index] ?? 0, side(index))).join(' | ')}`.trimEnd();
  const rule = widths.map((width) => '-'.repeat(width + 2)).join('+');
  const body = cells.flatMap((row) =>
    Array.from({ length: Math.max(...row.map((lines) => lines.length)) }, (_, at) =>
      line(
        row.map((lines) => lines[at] ?? ''),
        (index) => sides[index] ?? 'left',
      ),
    ),
  );
  return [line(names, () => 'left'), rule, ...body].map((text) => `${text}\n`).join('');
}

function renderRecords(names: readonly string[], cells: Cells, width: number | undefined): string {
  const nameWidth = Math.max(...names.map(cellWidth));
  const room = width === undefined ? Infinity : Math.max(leastWidth, width - nameWidth - 3);
  const records = cells.map((row, number) => {
    const head = `-[ ${number + 1} ]`;
    const lines = row.flatMap((texts, index) =>
      texts
        .flatMap((text) => foldText(text, room))
        .map((text, at) => `${fitText(at === 0 ? (names[index] ?? '') : '', nameWidth)} | ${text}`.trimEnd()),
    );
    return [head.padEnd(Math.min(nameWidth + 3, 40), '-'), ...lines];
  });
  return records
    .flat()
    .map((text) => `${text}\n`)
    .join('');
}
