/**
 * Aggregates, alone and over windows, of native ones only: an aggregate written in JavaScript could not be a window function. What
 * SQLite's own cannot do exactly is split so that its parts are exact, and put together afterwards by a plain function.
 */
import { sqliteCall } from '../../../runtime/values/sqlite-functions.ts';
import type { Type } from '../../../runtime/values/type.ts';
import type { AggregateName, AggregateShape, TypedExpression } from '../../catalog/expression.ts';
import { containsQuery, partsOf } from './shape.ts';
import { payloadForm } from './payload-form.ts';
import { printOrderBy } from './print-order.ts';
import type { Printer } from './printer.ts';

/** An aggregate whose clauses are printed already. */
export interface Aggregate extends Pick<AggregateShape, 'function' | 'arguments' | 'distinct' | 'filter' | 'relation'> {
  readonly type: Type;
  /** ` ORDER BY …` inside the parentheses, or nothing. */
  readonly order: string;
  /** What follows the parentheses of each native call: FILTER and OVER. */
  readonly suffix: string;
}

const names: readonly string[] = ['LAST', 'FIRST', 'COUNT', 'SUM', 'AVG', 'MIN', 'MAX', 'ARRAY_AGG', 'STRING_AGG'];

export function isAggregateName(name: string): name is AggregateName {
  return names.includes(name);
}

export function printAggregate(printer: Printer, aggregate: TypedExpression & AggregateShape): string {
  const filter = aggregate.filter === undefined ? '' : ` FILTER (WHERE ${printer.condition(aggregate.filter)})`;
  return printFolding(printer, { ...aggregate, order: printOrder(printer, aggregate), suffix: filter });
}

export function printFolding(printer: Printer, aggregate: Aggregate): string {
  const { suffix } = aggregate;
  const [first] = aggregate.arguments;
  if (first === undefined) return `COUNT(*)${suffix}`;
  const value = printer.expression(first);
  const distinct = aggregate.distinct ? 'DISTINCT ' : '';
  switch (aggregate.function) {
    case 'COUNT':
    case 'MIN':
    case 'MAX':
      return `${aggregate.function}(${distinct}${value})${suffix}`;
    case 'FIRST':
      return printExtreme(printer, 'MIN', aggregate, value);
    case 'LAST':
      return printExtreme(printer, 'MAX', aggregate, value);
    case 'SUM':
      return printSum(aggregate, first, value);
    case 'AVG':
      return printAverage(aggregate, first, value);
    case 'ARRAY_AGG':
      return printArray(aggregate, first, value);
    case 'STRING_AGG':
      return printJoined(printer, aggregate, value);
  }
}

/** Digits of a position, as many as the largest 64-bit integer has. */
const positionDigits = 19;

/** The value of the first or last event that has one: each is packed behind its position, and unpacked from the extreme. NULL packs to NULL. */
function printExtreme(
  printer: Printer,
  extreme: 'MIN' | 'MAX',
  { relation, type, suffix }: Aggregate,
  value: string,
): string {
  const position = relation === undefined ? undefined : printer.relations.get(relation)?.position;
  if (position === undefined) throw new Error('LAST and FIRST need a relation of events');
  const packed = `printf('%0${positionDigits}d', ${position}) || ${type.kind === 'DOUBLE' ? doubleText(value) : value}`;
  return unpack(`substr(${extreme}(${packed})${suffix}, ${positionDigits + 1})`, type);
}

/** All digits of a double, NULL for NULL; a plain cast keeps 15. */
function doubleText(value: string): string {
  return `NULLIF(json_quote(${value}), 'null')`;
}

function unpack(text: string, type: Type): string {
  switch (type.kind) {
    case 'INT':
    case 'BIGINT':
    case 'DECIMAL':
    case 'BOOLEAN':
    case 'TIMESTAMP':
    case 'DATE':
      return `CAST(${text} AS INTEGER)`;
    case 'DOUBLE':
      return `CAST(${text} AS REAL)`;
    default:
      return text;
  }
}

/** How a sum of these can be computed natively: at once, in two halves of nine digits, or only from the list of its values. */
type Summation = 'double' | 'plain' | 'halves' | 'list';

function summation(aggregate: Aggregate, operand: TypedExpression): Summation {
  if (operand.type.kind === 'DOUBLE') return 'double';
  if (operand.type.kind === 'INT' || (operand.type.kind === 'DECIMAL' && operand.type.precision <= 12)) return 'plain';
  // The halves would be told apart instead of the values; and a query in it, printed twice on each level, would grow exponentially.
  const parts = [operand, ...(aggregate.filter === undefined ? [] : [aggregate.filter])];
  return aggregate.distinct || parts.some(containsQuery) ? 'list' : 'halves';
}

/** The exact sum as its high and its low half. */
function halves(
  how: Exclude<Summation, 'double' | 'list'>,
  distinct: string,
  value: string,
  suffix: string,
): [string, string] {
  if (how === 'plain') return ['0', `SUM(${distinct}${value})${suffix}`];
  return [`SUM(${value} / 1000000000)${suffix}`, `SUM(${value} % 1000000000)${suffix}`];
}

function printSum(aggregate: Aggregate, operand: TypedExpression, value: string): string {
  const { suffix } = aggregate;
  const distinct = aggregate.distinct ? 'DISTINCT ' : '';
  const how = summation(aggregate, operand);
  if (how === 'double') return sqliteCall('fitDouble', `SUM(${distinct}${value})${suffix}`, `''`);
  if (operand.type.kind === 'INT') return `SUM(${distinct}${value})${suffix}`;
  const { type } = aggregate;
  const limits =
    type.kind === 'DECIMAL' ? ([String(type.precision), String(type.scale)] as const) : (['0', '0'] as const);
  if (how === 'list') return sqliteCall('sumOfList', `group_concat(${distinct}${value})${suffix}`, ...limits);
  return sqliteCall('sumOfHalves', ...halves(how, distinct, value, suffix), ...limits);
}

function printAverage(aggregate: Aggregate, operand: TypedExpression, value: string): string {
  const { suffix } = aggregate;
  const distinct = aggregate.distinct ? 'DISTINCT ' : '';
  const how = summation(aggregate, operand);
  if (how === 'double') return sqliteCall('fitDouble', `AVG(${distinct}${value})${suffix}`, `''`);
  const scales = [String(scaleOf(aggregate.type) - scaleOf(operand.type)), String(scaleOf(aggregate.type))] as const;
  if (how === 'list') return sqliteCall('averageOfList', `group_concat(${distinct}${value})${suffix}`, ...scales);
  const count = `COUNT(${distinct}${value})${suffix}`;
  return sqliteCall('averageOfHalves', ...halves(how, distinct, value, suffix), count, ...scales);
}

function scaleOf(type: Type): number {
  return type.kind === 'DECIMAL' ? type.scale : 0;
}

/** A JSON array of payload forms, NULLs kept; no row at all gives NULL. */
function printArray({ distinct, order, suffix }: Aggregate, operand: TypedExpression, value: string): string {
  const form = payloadForm(value, operand.type);
  return `NULLIF(json_group_array(${distinct ? 'DISTINCT ' : ''}${form}${order})${suffix}, '[]')`;
}

/** SQLite's own takes no separator with DISTINCT. */
function printJoined(printer: Printer, aggregate: Aggregate, value: string): string {
  const [, second] = aggregate.arguments;
  const { order, suffix } = aggregate;
  const separator = second === undefined ? `''` : printer.expression(second);
  if (!aggregate.distinct) return `group_concat(${value}, ${separator}${order})${suffix}`;
  return sqliteCall('joinTexts', `json_group_array(DISTINCT ${value}${order})${suffix}`, separator);
}

/** Where no order is asked for, values of one event relation stand in the order of events, whichever index finds them. */
function printOrder(printer: Printer, aggregate: AggregateShape): string {
  if (aggregate.orderBy.length > 0 || aggregate.distinct) return printOrderBy(printer, aggregate.orderBy);
  if (aggregate.function !== 'ARRAY_AGG' && aggregate.function !== 'STRING_AGG') return '';
  const [only, ...others] = new Set(aggregate.arguments.flatMap(relationsOf));
  const position = only === undefined || others.length > 0 ? undefined : printer.relations.get(only)?.position;
  return position === undefined ? '' : ` ORDER BY ${position} ASC NULLS LAST`;
}

function relationsOf(expression: TypedExpression): readonly number[] {
  return expression.kind === 'column' ? [expression.relation] : partsOf(expression).flatMap(relationsOf);
}
