/**
 * Window functions. Each specification is printed once, in the WINDOW clause of its select: some functions are printed
 * as several native ones over one window, and queries in a specification would otherwise double with every level.
 */
import type { BoundFrameBound, TypedExpression, WindowShape } from '../../../language/catalog/expression.ts';
import { keyText } from '../../functions/comparison-key.ts';
import { isAggregateName, printFolding } from './print-aggregate.ts';
import { printOrderBy } from './print-order.ts';
import type { Printer } from './printer.ts';

/** A window function, or an aggregate over a window. */
export function printWindow(printer: Printer, window: TypedExpression & WindowShape): string {
  const filter = window.filter === undefined ? '' : ` FILTER (WHERE ${printer.condition(window.filter)})`;
  const rows = printRows(printer, window);
  const over = ` OVER ${windowName(printer, rows + printFrame(printer, window))}`;
  if (isAggregateName(window.function)) {
    return printFolding(printer, {
      ...window,
      function: window.function,
      distinct: false,
      order: '',
      suffix: filter + over,
    });
  }
  const [first, second, third] = window.arguments;
  const value = first === undefined ? '' : printer.expression(first);
  switch (window.function) {
    case 'NTILE':
      return printTile(printer, { buckets: value, nullable: first?.nullable === true, rows, over });
    case 'NTH_VALUE':
      return `NTH_VALUE(${value}, ${second === undefined ? '1' : printPlace(printer, second)})${over}`;
    case 'LAG':
    case 'LEAD':
      return printNeighbour(printer, window.function, [value, second, third]) + over;
    default:
      return `${window.function}(${value})${over}`;
  }
}

interface Tile {
  readonly buckets: string;
  readonly nullable: boolean;
  readonly rows: string;
  readonly over: string;
}

/** SQLite uses the number of buckets of a partition's first row, as the language does, but refuses a NULL there. */
function printTile(printer: Printer, { buckets, nullable, rows, over }: Tile): string {
  if (!nullable) return `NTILE(${buckets})${over}`;
  const whole = windowName(printer, `${rows} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING`);
  return `(CASE WHEN FIRST_VALUE(${buckets}) OVER ${whole} IS NOT NULL THEN NTILE(COALESCE(${buckets}, 1))${over} END)`;
}

/** Beyond the number of rows of any frame. */
const noPlace = '9223372036854775807';

/** SQLite refuses a NULL as the position of NTH_VALUE; the language gives NULL for it. */
function printPlace(printer: Printer, place: TypedExpression): string {
  const text = printer.expression(place);
  return place.nullable ? `COALESCE(${text}, ${noPlace})` : text;
}

/**
 * SQLite's LAG has not read the rows after the current one, so a distance that may be negative is printed as one of
 * LEAD; and SQLite gives the default for a distance of NULL, while the language gives NULL.
 */
function printNeighbour(
  printer: Printer,
  name: 'LAG' | 'LEAD',
  [value, distance, otherwise]: readonly [string, TypedExpression | undefined, TypedExpression | undefined],
): string {
  if (distance === undefined) return `${name}(${value})`;
  const steps = printer.expression(distance);
  const fallback = otherwise === undefined ? 'NULL' : printer.expression(otherwise);
  const absent =
    distance.nullable && otherwise !== undefined ? `CASE WHEN ${steps} IS NOT NULL THEN ${fallback} END` : fallback;
  if (name === 'LEAD' || isCount(distance)) return `${name}(${value}, ${steps}, ${absent})`;
  return `LEAD(${value}, -(${steps}), ${absent})`;
}

function isCount(distance: TypedExpression): boolean {
  return distance.kind === 'literal' && typeof distance.value === 'number' && distance.value >= 0;
}

/** The name of a specification in the WINDOW clause of the present select. */
function windowName({ levels }: Printer, text: string): string {
  const windows = levels.at(-1)?.windows;
  if (windows === undefined) throw new Error('a window function is outside of a select');
  const specification = text.trim();
  const name = windows.get(specification) ?? `w${windows.size}`;
  windows.set(specification, name);
  return name;
}

/** ` WINDOW …` of the present select, whose expressions are already printed; or nothing. */
export function printWindows({ levels }: Printer): string {
  const windows = [...(levels.at(-1)?.windows ?? [])];
  const named = windows.map(([specification, name]) => `${name} AS (${specification})`);
  return named.length === 0 ? '' : ` WINDOW ${named.join(', ')}`;
}

/** The frame and the order of its rows. */
function printRows(printer: Printer, window: WindowShape): string {
  const keys = window.partitionBy.map((key) => keyText(printer.expression(key), key.type));
  const partition = keys.length === 0 ? '' : `PARTITION BY ${keys.join(', ')}`;
  return partition + printOrderBy(printer, window.orderBy);
}

function printFrame(printer: Printer, { frame }: WindowShape): string {
  if (frame === undefined) return '';
  const start = printBound(printer, frame.start);
  const rows = frame.end === undefined ? start : `BETWEEN ${start} AND ${printBound(printer, frame.end)}`;
  return ` ${frame.unit} ${rows}${frame.exclude === undefined ? '' : ` EXCLUDE ${frame.exclude}`}`;
}

function printBound(printer: Printer, bound: BoundFrameBound): string {
  return 'offset' in bound ? `${printer.expression(bound.offset)} ${bound.at}` : bound.at;
}
