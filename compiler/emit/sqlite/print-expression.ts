/**
 * Expressions. The analyser has resolved, typed and cast everything, so each node has exactly one way to be printed;
 * functions, operators, casts and literals print themselves through the function catalogue.
 */
import { mayFail, sqliteCall } from '../../../language/sqlite/call.ts';
import { isSqliteInteger } from '../../../language/sqlite/value.ts';
import { keyText } from '../../functions/comparison-key.ts';
import type { PrintedArgument } from '../../functions/entry.ts';
import { callerPartText } from '../../../language/contract/caller.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { mostValues } from '../../../language/values/aggregate.ts';
import type { Type } from '../../../language/values/type.ts';
import { someExpression, mapExpression } from '../../../language/catalog/map-expression.ts';
import type { BoundQuery } from '../../../language/catalog/query.ts';
import { balanced, operandsOf } from './chain.ts';
import { literalSqlite, printCastSqlite } from '../../functions/cast.ts';
import { lookupFunction } from '../../functions/catalogue.ts';
import { isVolatileCall } from '../../functions/properties-of-call.ts';
import { printAggregate } from './print-aggregate.ts';
import { printMask } from './print-mask.ts';
import { printConnective, printConnectiveCondition, printRestriction } from './print-connective.ts';
import { printWindow } from './print-window.ts';
import { outputName, type PrintedRelation, type Printer } from './printer.ts';
import { givesOneRowAtMost } from './shape.ts';
import { physicalNames, quoteIdentifier } from './physical-names.ts';

type Node<K extends TypedExpression['kind']> = Extract<TypedExpression, { readonly kind: K }>;

export function printExpression(printer: Printer, expression: TypedExpression): string {
  switch (expression.kind) {
    case 'literal':
      return literalSqlite(expression.value, expression.type);
    case 'argument':
      return printer.parameter({ name: expression.name, type: expression.type });
    case 'caller':
      return printer.parameter({
        name: callerPartText(expression.part),
        type: expression.type,
        caller: expression.part,
      });
    case 'state':
      throw new Error(`a column of a decision's STATE (${expression.name}) is in a query`);
    case 'column':
      return relationOf(printer, expression.relation).column(expression.column);
    case 'call':
      return printCall(printer, expression);
    case 'case':
      return printCase(printer, expression);
    case 'cast':
      return printCastSqlite(printer.argument(expression.operand), expression.type, expression.mode, expression.field);
    case 'in-list':
      return printInList(printer, expression);
    case 'in-query':
      return `(${printKey(printer, expression.operand)}${not(expression.negated)} IN (${printSet(printer, expression)}))`;
    case 'aggregate':
      return printAggregate(printer, expression);
    case 'window':
      return printWindow(printer, expression);
    case 'scalar-query':
      return printScalarQuery(printer, expression.query);
    case 'exists':
      return `EXISTS (${fromQuery(printer, '1', expression.query)})`;
    case 'mask':
      return printMasked(printer, expression);
    case 'apply':
      return printApply(printer, expression);
    case 'parameter':
      throw new Error(`parameter ${expression.name} is outside its function`);
  }
}

/**
 * For places where NULL counts as FALSE: AND and OR pass that on to their operands, and a test of tags can then use
 * their index.
 */
export function printCondition(printer: Printer, expression: TypedExpression): string {
  if (expression.kind !== 'call') return printer.expression(expression);
  if (expression.function === 'and' || expression.function === 'or')
    return printConnectiveCondition(expression.function, operandsOf(expression).map(printer.condition));
  return printAnyOfTags(printer, expression) ?? printAnyOfTexts(printer, expression) ?? printer.expression(expression);
}

/** A whole WHERE, ON or HAVING. */
export function printRestrictionOf(printer: Printer, condition: TypedExpression): string {
  const parts = condition.kind === 'call' && condition.function === 'and' ? operandsOf(condition) : [condition];
  const texts = parts.map(printer.condition);
  if (!texts.some(mayFail)) return printRestriction(texts);
  return printRestriction(parts.map((part, index) => printFixed(printer, part) ?? texts[index] ?? ''));
}

/**
 * Prints `column = literal` next to parts that can fail. SQLite would replace the column by the literal in those parts too, and then
 * evaluate them in rows with another value; it does not do so for a CAST.
 */
function printFixed(printer: Printer, part: TypedExpression): string | undefined {
  if (part.kind !== 'call' || part.function !== 'equal') return undefined;
  const kinds = part.arguments.map(({ kind }) => kind);
  if (!kinds.includes('column') || !kinds.includes('literal')) return undefined;
  const given = part.arguments.map((argument): PrintedArgument => {
    const printed = printer.argument(argument);
    if (argument.kind !== 'literal') return printed;
    const held = isSqliteInteger(argument.type) ? 'INTEGER' : argument.type.kind === 'DOUBLE' ? 'REAL' : 'TEXT';
    return { ...printed, text: `CAST(${printed.text} AS ${held})` };
  });
  return lookupFunction('equal')?.sqlite({ arguments: given, result: part.type });
}

/** An expression with its properties that the entries of the function catalogue use. */
export function printArgument(printer: Printer, expression: TypedExpression): PrintedArgument {
  return describe(expression, printer.expression(expression));
}

function describe(expression: TypedExpression, text: string): PrintedArgument {
  const simple =
    expression.kind === 'literal' ||
    expression.kind === 'argument' ||
    expression.kind === 'caller' ||
    expression.kind === 'column';
  return {
    text,
    type: expression.type,
    nullable: expression.nullable,
    simple: simple && expression.type.kind !== 'STRUCT',
  };
}

function printCall(printer: Printer, call: Node<'call'>): string {
  const entry = lookupFunction(call.function);
  if (entry === undefined) throw new Error(`function ${call.function} is not in the catalogue`);
  const printed = operandsOf(call).map((operand) => describe(operand, printer.expression(operand)));
  if (call.function === 'and' || call.function === 'or') return printConnective(call.function, printed);
  if (printed.length === call.arguments.length) {
    const place = call.place === undefined ? {} : { place: literalSqlite(call.place, text) };
    return entry.sqlite({ arguments: printed, result: call.type, ...place });
  }
  return balanced(printed, (left, right) => {
    const text = entry.sqlite({ arguments: [left, right], result: call.type });
    return { text, type: call.type, nullable: call.nullable, simple: false };
  }).text;
}

function printCase(printer: Printer, { operand, branches, otherwise }: Node<'case'>): string {
  const subject = operand === undefined ? '' : ` ${printKey(printer, operand)}`;
  const printWhen = operand === undefined ? printer.condition : (when: TypedExpression) => printKey(printer, when);
  const texts = branches.map(({ when, then }) => ` WHEN ${printWhen(when)} THEN ${printer.expression(then)}`);
  const last = otherwise === undefined ? '' : ` ELSE ${printer.expression(otherwise)}`;
  return `(CASE${subject}${texts.join('')}${last} END)`;
}

function printInList(printer: Printer, { operand, list, negated }: Node<'in-list'>): string {
  const subject = printKey(printer, operand);
  const items = list.map((item) => printKey(printer, item));
  const native = `(${subject}${not(negated)} IN (${items.join(', ')}))`;
  if (!items.slice(1).some(mayFail)) return native;
  // Items after an equal one are not evaluated; if all were evaluated, none failed.
  const nullable = [operand, ...list].some((part) => part.nullable);
  const once = native.length > 1000 || [operand, ...list].some((part) => someExpression(part, isVolatileCall));
  if (nullable && once) return native;
  const whens = items.map((item) => `WHEN ${item} THEN ${negated ? '0' : '1'}`);
  return `(CASE ${subject} ${whens.join(' ')} ELSE ${nullable ? native : negated ? '1' : '0'} END)`;
}

/** An operand of a comparison that SQLite makes by itself. */
function printKey(printer: Printer, operand: TypedExpression): string {
  return keyText(printer.expression(operand), operand.type);
}

function not(negated: boolean): string {
  return negated ? ' NOT' : '';
}

function printSet(printer: Printer, { operand, query, bounded }: Node<'in-query'>): string {
  const key = keyText('c0', operand.type);
  if (bounded !== true) return fromQuery(printer, key, query);
  const numbered = fromQuery(printer, 'c0, ROW_NUMBER() OVER () AS n', query);
  return `SELECT ${key} FROM (${numbered}) WHERE CASE WHEN n > ${mostValues} THEN ${sqliteCall('tooManyValues')} ELSE 1 END`;
}

/** A query in a FROM: SQLite limits the depth of an expression to 1000 nodes, and only a FROM starts a new count. */
function fromQuery(printer: Printer, items: string, query: BoundQuery): string {
  return `SELECT ${items} FROM (${printer.query(query)})`;
}

const text: Type = { kind: 'STRING' };

const two: TypedExpression = { kind: 'literal', value: 2, type: { kind: 'INT' }, nullable: false, sensitive: false };

/** Prints a query of one value, NULL for no row; a second row is an error, while SQLite would use the first. */
function printScalarQuery(printer: Printer, query: BoundQuery): string {
  if (givesOneRowAtMost(query)) return `(${fromQuery(printer, outputName(0), query)})`;
  const value = `CASE WHEN COUNT(*) > 1 THEN ${sqliteCall('severalRows')} ELSE MAX(${outputName(0)}) END`;
  return `(${fromQuery(printer, value, query.limit === undefined ? { ...query, limit: two } : query)})`;
}

function printMasked(printer: Printer, mask: Node<'mask'>): string {
  const [first] = mask.of;
  if (mask.type.kind === 'STRUCT' && first?.kind === 'column') {
    const relation = relationOf(printer, first.relation);
    return relation.maskedStruct?.(first.column) ?? relation.column(first.column);
  }
  return printMask(mask.of.map(printer.expression), mask.type);
}

function relationOf(printer: Printer, id: number): PrintedRelation {
  const relation = printer.relations.get(id);
  if (relation === undefined) throw new Error(`relation ${id} is not in scope`);
  return relation;
}

/**
 * `x = ANY(tags)` on an event relation, as a lookup in the table of tags, whose index then finds the events. Gives
 * FALSE if `x` is NULL, so it is used only where that means the same. Undefined for anything else.
 */
function printAnyOfTags(printer: Printer, expression: TypedExpression): string | undefined {
  if (expression.kind !== 'call' || expression.function !== 'any_equal') return undefined;
  const [operand, list] = expression.arguments;
  if (operand === undefined || list?.kind !== 'column' || list.column.toLowerCase() !== 'tags') return undefined;
  const relation = printer.relations.get(list.relation);
  if (relation?.aggregate === undefined || relation.position === undefined) return undefined;
  const tags = quoteIdentifier(physicalNames.tags(relation.aggregate));
  return `(${relation.position} IN (SELECT t.global_position FROM ${tags} AS t WHERE t.tag = ${printer.expression(operand)}))`;
}

/** `x = ANY (list)` for a list of texts that is the same for all rows: SQLite reads it once, and can look each of them up in an index. */
function printAnyOfTexts(printer: Printer, expression: TypedExpression): string | undefined {
  if (expression.kind !== 'call' || expression.function !== 'any_equal') return undefined;
  const [operand, list] = expression.arguments;
  if (operand?.type.kind !== 'STRING' || list?.type.kind !== 'LIST' || list.type.of.kind !== 'STRING') return undefined;
  if (list.kind !== 'argument' && list.kind !== 'caller' && list.kind !== 'literal') return undefined;
  const items = `SELECT j.value FROM json_each(${printer.expression(list)}) AS j`;
  return `(${printer.expression(operand)} IN (${items}))`;
}

type Apply = Extract<TypedExpression, { readonly kind: 'apply' }>;

/**
 * Calls of functions of the schema: the body is printed in place of the call. An argument that is more than a name or a literal is a column of
 * a subquery of one row if the body reads it several times, or if it may fail or is random: so it is evaluated once, and before the body.
 */
function printApply(printer: Printer, { parameters, arguments: given, body }: Apply): string {
  const { size } = printer.relations;
  const alias = `f${size}`;
  // Ids of relations of the query are not negative, and those of folds are the first negative ones.
  const relation = firstFunctionRelation - size;
  printer.relations.set(relation, { witness: `${alias}.p0`, column: (name) => `${alias}.${name}` });
  const columns: string[] = [];
  const tests: string[] = [];
  const values = new Map<string, TypedExpression>();
  parameters.forEach(({ name }, index) => {
    const argument = given[index];
    if (argument === undefined) throw new Error(`a call of a function has no argument for ${name}`);
    const text = isPlain(argument) ? '' : printer.expression(argument);
    const fails = mayFail(text);
    const staysHere = someExpression(argument, (part) => part.kind === 'aggregate' || part.kind === 'window');
    const once = fails || readings(body, name) > 1 || someExpression(argument, isVolatileCall);
    if (text === '' || staysHere || !once) values.set(name, argument);
    else {
      const { type, nullable, sensitive } = argument;
      const column = `p${columns.push(`${text} AS p${columns.length}`) - 1}`;
      values.set(name, { kind: 'column', relation, column, type, nullable, sensitive });
    }
    // SQLite evaluates a column only where it is read.
    if (fails) tests.push(`typeof(${printer.expression(values.get(name) ?? argument)}) = ''`);
  });
  const inside = mapExpression(body, (part) => (part.kind === 'parameter' ? values.get(part.name) : undefined));
  const text = printer.expression(inside);
  const value = tests.length === 0 ? text : `(CASE WHEN ${tests.join(' OR ')} THEN NULL ELSE ${text} END)`;
  return columns.length === 0 ? value : `(SELECT ${value} FROM (SELECT ${columns.join(', ')}) AS ${alias})`;
}

const firstFunctionRelation = -1000;

function isPlain({ kind }: TypedExpression): boolean {
  return kind === 'literal' || kind === 'argument' || kind === 'column';
}

/** Number of times that a body names a parameter. */
function readings(body: TypedExpression, name: string): number {
  let count = 0;
  someExpression(body, (part) => {
    if (part.kind === 'parameter' && part.name === name) count += 1;
    return false;
  });
  return count;
}
