/**
 * Queries and their bodies. Every query names its columns `c0`, `c1`, …, so that the names of the text are never used,
 * and none can be ambiguous or differ only in case.
 */
import type {
  BoundBody,
  BoundCommonTable,
  BoundQuery,
  BoundRelation,
  BoundValues,
  SortKey,
} from '../../../language/catalog/query.ts';
import { sqliteCall } from '../../../language/sqlite/call.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { Type } from '../../../language/values/type.ts';
import { printOrderBy, sortsByKey } from './print-order.ts';
import { comparesIntervals, printPacked } from './print-recursion.ts';
import { printSelect } from './print-select.ts';
import { printSet } from './print-set.ts';
import { outputName, type Printer } from './printer.ts';
import { isVolatile } from './volatile.ts';

export function printQuery(printer: Printer, query: BoundQuery): string {
  if (query.body.kind === 'query' && isBare(query)) return printer.query(query.body.query);
  const commonTables = printCommonTables(printer, query);
  return commonTables + printBody(printer, query.body, query.orderBy, typesOf(query)) + printLimit(printer, query);
}

/** Whether it is only a body. */
function isBare(query: BoundQuery): boolean {
  const counted = query.limit !== undefined || query.offset !== undefined;
  return !counted && query.orderBy.length === 0 && query.with.length === 0;
}

function printCommonTables(printer: Printer, query: BoundQuery): string {
  if (query.with.length === 0) return '';
  const tables = query.with.map((table) => printCommonTable(printer, table));
  return `WITH ${query.recursive ? 'RECURSIVE ' : ''}${tables.join(', ')} `;
}

function printCommonTable(printer: Printer, table: BoundCommonTable): string {
  const columns = table.query.columns;
  printer.commonTables.set(table.id, table.query);
  const { body } = table.query;
  const isRecursive = body.kind === 'set' && readsItself(body.right, table.id);
  if (isRecursive) printer.steps.add(body.right);
  const names = columns.map((_, index) => outputName(index)).join(', ');
  const hint = isVolatile(table.query) ? 'MATERIALIZED ' : '';
  const text =
    isRecursive && comparesIntervals(table.query, body)
      ? printPacked(printer, table.query, body)
      : printer.query(table.query);
  return `w${table.id}(${names}) AS ${hint}(${text})`;
}

function readsItself(body: BoundBody, id: number): boolean {
  const reads = (relation: BoundRelation): boolean => {
    if (relation.kind === 'join') return reads(relation.left) || reads(relation.right);
    return relation.kind === 'relation' && relation.source.kind === 'common' && relation.source.table === id;
  };
  return body.kind === 'select' && body.from !== undefined && reads(body.from);
}

function typesOf({ columns }: BoundQuery): readonly Type[] {
  return columns.map(({ type }) => type);
}

function printBody(printer: Printer, body: BoundBody, orderBy: readonly SortKey[], types: readonly Type[]): string {
  if (body.kind === 'select') return printSelect(printer, body, orderBy);
  const order = printOrderBy(printer, orderBy, types);
  const text = printRows(printer, body, types);
  const wrapped = body.kind === 'query' || sortsByKey(orderBy, types);
  return wrapped ? `SELECT * FROM (${text})${order}` : text + order;
}

function printRows(printer: Printer, body: BoundBody, types: readonly Type[]): string {
  switch (body.kind) {
    case 'select':
      return printSelect(printer, body, []);
    case 'set':
      return printSet(body, types, (side) => printSide(printer, side, types));
    case 'values':
      return printValues(printer, body);
    case 'query':
      return printer.query(body.query);
  }
}

/** A side of a set operation. SQLite has no parentheses there, so a side with clauses of its own is wrapped. */
function printSide(printer: Printer, body: BoundBody, types: readonly Type[]): string {
  if (body.kind === 'select' || body.kind === 'values') return printRows(printer, body, types);
  if (body.kind === 'query' && isBare(body.query)) return printSide(printer, body.query.body, types);
  return `SELECT * FROM (${printRows(printer, body, types)})`;
}

function printValues(printer: Printer, values: BoundValues): string {
  const rows = values.rows.map((row) => `(${row.map(printer.expression).join(', ')})`);
  const columns = (values.rows[0] ?? []).map((_, index) => `column${index + 1} AS ${outputName(index)}`);
  return `SELECT ${columns.join(', ')} FROM (VALUES ${rows.join(', ')})`;
}

/** LIMIT NULL is no limit, as in PostgreSQL; in SQLite that is -1. */
function printLimit(printer: Printer, query: BoundQuery): string {
  if (query.limit === undefined && query.offset === undefined) return '';
  const limit = query.limit === undefined ? '-1' : printCount(printer, 'LIMIT', query.limit, '-1');
  const offset = query.offset === undefined ? '' : ` OFFSET ${printCount(printer, 'OFFSET', query.offset, '0')}`;
  return ` LIMIT ${limit}${offset}`;
}

function printCount(printer: Printer, clause: string, count: TypedExpression, ofNull: string): string {
  const text = printer.expression(count);
  if (count.kind === 'literal') return count.nullable ? ofNull : text;
  const checked = sqliteCall('rowCount', text, `'${clause}'`);
  return count.nullable ? `COALESCE(${checked}, ${ofNull})` : checked;
}
