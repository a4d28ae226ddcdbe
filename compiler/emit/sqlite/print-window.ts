import type { BoundFrameBound, TypedExpression, WindowShape } from '../../catalog/expression.ts';
import { isAggregateName, printFolding } from './print-aggregate.ts';
import { printOrderBy } from './print-order.ts';
import type { Printer } from './printer.ts';

/** A window function, or an aggregate over a window. */
export function printWindow(printer: Printer, window: TypedExpression & WindowShape): string {
  const filter = window.filter === undefined ? '' : ` FILTER (WHERE ${printer.condition(window.filter)})`;
  const suffix = `${filter} OVER (${printSpecification(printer, window)})`;
  if (isAggregateName(window.function)) {
    return printFolding(printer, { ...window, function: window.function, distinct: false, order: '', suffix });
  }
  return `${window.function}(${window.arguments.map(printer.expression).join(', ')})${suffix}`;
}

function printSpecification(printer: Printer, window: WindowShape): string {
  const keys = window.partitionBy.map(printer.expression);
  const partition = keys.length === 0 ? '' : `PARTITION BY ${keys.join(', ')}`;
  return (partition + printOrderBy(printer, window.orderBy) + printFrame(printer, window)).trim();
}

function printFrame(printer: Printer, { frame }: WindowShape): string {
  if (frame === undefined) return '';
  const start = printBound(printer, frame.start);
  if (frame.end === undefined) return ` ${frame.unit} ${start}`;
  return ` ${frame.unit} BETWEEN ${start} AND ${printBound(printer, frame.end)}`;
}

function printBound(printer: Printer, bound: BoundFrameBound): string {
  return 'offset' in bound ? `${printer.expression(bound.offset)} ${bound.at}` : bound.at;
}
