/**
 * Aggregates, alone and over windows, with native functions only: an aggregate written in JavaScript could not be a
 * window function. An aggregate that SQLite does not compute exactly is split into exact parts, which a plain function
 * combines.
 */
import { sqliteCall } from '../../../language/sqlite/call.ts';
import type { Type } from '../../../language/values/type.ts';
import type { AggregateName, AggregateShape, TypedExpression } from '../../../language/catalog/expression.ts';
import { someExpression } from '../../../language/catalog/map-expression.ts';
import { keyText } from '../../functions/comparison-key.ts';
import { isVolatileCall } from '../../functions/properties-of-call.ts';
import { columnRelations, containsQuery, freeRelationsOf } from './shape.ts';
import { payloadForm } from './payload-form.ts';
import { printOrderBy } from './print-order.ts';
import type { Printer } from './printer.ts';
import { scaleOf, splitAggregate, type AggregatePart } from './split-aggregate.ts';

/** An aggregate with printed clauses. */
export interface Aggregate extends Pick<AggregateShape, 'function' | 'arguments' | 'distinct' | 'filter' | 'relation'> {
  readonly type: Type;
  /** ` ORDER BY …` inside the parentheses, or nothing. */
  readonly order: string;
  /** The text after the parentheses of each native call: FILTER and OVER. */
  readonly suffix: string;
}

const names: readonly string[] = ['LAST', 'FIRST', 'COUNT', 'SUM', 'AVG', 'MIN', 'MAX', 'ARRAY_AGG', 'STRING_AGG'];

export function isAggregateName(name: string): name is AggregateName {
  return names.includes(name);
}

export function printAggregate(printer: Printer, aggregate: TypedExpression & AggregateShape): string {
  const own = aggregate.filter === undefined ? undefined : printer.condition(aggregate.filter);
  const condition = withWitness(own, witnessOf(printer, aggregate));
  const filter = condition === undefined ? '' : ` FILTER (WHERE ${condition})`;
  return printFolding(printer, { ...aggregate, order: printOrder(printer, aggregate), suffix: filter });
}

/**
 * SQLite assigns an aggregate with outer columns only to the outer select. A condition that always holds, on a column
 * of the select that it belongs to, prevents that: the witness. An aggregate of both kinds of columns needs it as
 * well: its own columns may be missing from the text, such as those after a column in COALESCE that is never NULL.
 */
function witnessOf(printer: Printer, aggregate: TypedExpression & AggregateShape): string | undefined {
  const level = printer.levels.at(-1);
  const named = freeRelationsOf(aggregate);
  if (level === undefined || [...named].every((relation) => level.relations.has(relation))) return undefined;
  return level.witness;
}

/** In a CASE, since SQLite's parser drops both sides of an AND if one is always false, and the column with them. */
function withWitness(condition: string | undefined, witness: string | undefined): string | undefined {
  if (witness === undefined) return condition;
  const holds = `${witness} IS ${witness}`;
  return condition === undefined ? holds : `CASE WHEN ${condition} THEN ${holds} END`;
}

export function printFolding(printer: Printer, aggregate: Aggregate): string {
  const [first] = aggregate.arguments;
  const value = first === undefined ? undefined : printer.expression(first);
  const { function: name } = aggregate;
  if (first !== undefined && value !== undefined) {
    if (name === 'ARRAY_AGG') return printArray(aggregate, first, value);
    if (name === 'STRING_AGG') return printJoined(printer, aggregate, value);
    if (needsList(aggregate, first)) return printOfList(aggregate, first, value);
  } else if (name === 'ARRAY_AGG' || name === 'STRING_AGG') throw new Error(`${name} has nothing to gather`);
  const counted = name === 'COUNT' && aggregate.distinct && first !== undefined && value !== undefined;
  const { parts, whole } = splitAggregate(name, aggregate.type, first, counted ? keyText(value, first.type) : value);
  return whole(parts.map((part) => printPart(printer, aggregate, part)));
}

/** Prints one part, computed by one native aggregate over the rows. */
function printPart(printer: Printer, aggregate: Aggregate, { gather, value, type }: AggregatePart): string {
  const { suffix } = aggregate;
  if (value === undefined) return `COUNT(*)${suffix}`;
  if (gather === 'FIRST' || gather === 'LAST') return printExtreme(printer, aggregate, gather, value, type);
  return `${gather}(${aggregate.distinct ? 'DISTINCT ' : ''}${value})${suffix}`;
}

/** Added to a position, it makes a text of 19 digits, which sorts as the position does. */
const positionBase = '1000000000000000000';

/**
 * The value of the first or last event that has one: each value is packed after its position, and unpacked from the
 * minimum or maximum. NULL packs to NULL.
 */
function printExtreme(
  printer: Printer,
  { relation, suffix }: Aggregate,
  gather: 'FIRST' | 'LAST',
  value: string,
  type: Type,
): string {
  const position = relation === undefined ? undefined : printer.relations.get(relation)?.position;
  if (position === undefined) throw new Error('LAST and FIRST need a relation of events');
  const packed = `(${positionBase} + ${position}) || ${type.kind === 'DOUBLE' ? doubleText(value) : value}`;
  return unpack(`substr(${gather === 'FIRST' ? 'MIN' : 'MAX'}(${packed})${suffix}, ${positionBase.length + 1})`, type);
}

/** All digits of a double, NULL for NULL; a plain cast gives only 15. */
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
    case 'WALL':
    case 'DATE':
      return `CAST(${text} AS INTEGER)`;
    case 'DOUBLE':
      return `CAST(${text} AS REAL)`;
    default:
      return text;
  }
}

/**
 * DISTINCT would compare the parts of a sum instead of the values; queries in each part would multiply the text with
 * each level, and random values would differ between the parts.
 */
function needsList(aggregate: Aggregate, { type }: TypedExpression): boolean {
  if (aggregate.function !== 'SUM' && aggregate.function !== 'AVG') return false;
  const wide = type.kind === 'BIGINT' || type.kind === 'INTERVAL' || (type.kind === 'DECIMAL' && type.precision > 12);
  const operands = [...aggregate.arguments, ...(aggregate.filter === undefined ? [] : [aggregate.filter])];
  return (
    wide && (aggregate.distinct || operands.some((one) => containsQuery(one) || someExpression(one, isVolatileCall)))
  );
}

function printOfList(
  { function: name, type, distinct, suffix }: Aggregate,
  operand: TypedExpression,
  value: string,
): string {
  const list = `group_concat(${distinct ? 'DISTINCT ' : ''}${value})${suffix}`;
  if (type.kind === 'INTERVAL')
    return sqliteCall(name === 'AVG' ? 'meanOfIntervals' : 'sumOfIntervals', list, distinct ? '1' : '0');
  if (name === 'AVG') {
    return sqliteCall('averageOfList', list, String(scaleOf(type) - scaleOf(operand.type)), String(scaleOf(type)));
  }
  const limits =
    type.kind === 'DECIMAL' ? ([String(type.precision), String(type.scale)] as const) : (['0', '0'] as const);
  return sqliteCall('sumOfList', list, ...limits);
}

/** A JSON array of payload forms including NULLs; NULL when there is no row. */
function printArray({ distinct, order, suffix }: Aggregate, operand: TypedExpression, value: string): string {
  const form = payloadForm(value, operand.type);
  if (distinct && operand.type.kind === 'INTERVAL')
    return `NULLIF(${sqliteCall('distinctIntervals', `json_group_array(${form}${order})${suffix}`)}, '[]')`;
  return `NULLIF(json_group_array(${distinct ? 'DISTINCT ' : ''}${form}${order})${suffix}, '[]')`;
}

/** SQLite's own function takes no separator with DISTINCT. */
function printJoined(printer: Printer, aggregate: Aggregate, value: string): string {
  const [, second] = aggregate.arguments;
  const { order, suffix } = aggregate;
  const separator = second === undefined ? `''` : printer.expression(second);
  if (!aggregate.distinct) return `group_concat(${value}, ${separator}${order})${suffix}`;
  return sqliteCall('joinTexts', `json_group_array(DISTINCT ${value}${order})${suffix}`, separator);
}

/**
 * Without ORDER BY, DISTINCT values are sorted, as in PostgreSQL, and values of one event relation are in the order of
 * events, independent of the index that finds them.
 */
function printOrder(printer: Printer, aggregate: AggregateShape): string {
  if (aggregate.orderBy.length > 0) return printOrderBy(printer, aggregate.orderBy);
  if (aggregate.function !== 'ARRAY_AGG' && aggregate.function !== 'STRING_AGG') return '';
  const [value] = aggregate.arguments;
  if (aggregate.distinct && value !== undefined)
    return printOrderBy(printer, [{ by: 'expression', expression: value, direction: 'ASC', nulls: 'LAST' }]);
  const [only, ...others] = new Set(aggregate.arguments.flatMap(columnRelations));
  const position = only === undefined || others.length > 0 ? undefined : printer.relations.get(only)?.position;
  return position === undefined ? '' : ` ORDER BY ${position} ASC NULLS LAST`;
}
