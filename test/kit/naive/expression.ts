/**
 * Evaluates expressions for one row. Functions are the catalogue's TypeScript, so this oracle of queries also compares
 * both targets.
 */
import { lookupFunction } from '../../../compiler/functions/catalogue.ts';
import { quoteTypescript } from '../../../compiler/functions/typescript-text.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundQuery } from '../../../language/catalog/query.ts';
import { fail } from '../../../language/failure/failure.ts';
import { castValue } from '../../../language/values/cast.ts';
import { fromPayload } from '../../../language/values/payload.ts';
import { sql } from '../../../language/values/sql.ts';
import type { Type, Value } from '../../../language/values/type.ts';
import { aggregateRows } from './aggregate.ts';
import { comparedBy } from './compare.ts';
import { evaluateQuery } from './query.ts';
import type { Scope } from './world.ts';

/** A literal list is its JSON text. */
function listed(value: unknown, type: Type): unknown {
  return type.kind === 'LIST' && typeof value === 'string' ? JSON.parse(value) : value;
}

export function evaluate(expression: TypedExpression, scope: Scope): Value {
  switch (expression.kind) {
    case 'literal':
      return fromPayload(listed(expression.value, expression.type), expression.type);
    case 'argument':
      return scope.world.arguments.get(expression.name) ?? null;
    case 'caller':
      throw new Error('a query is asked by a caller, whose parts are literals by then');
    case 'state':
      throw new Error('STATE columns stand in no query');
    case 'parameter':
      return scope.world.arguments.get(expression.name) ?? null;
    case 'apply': {
      const given = expression.arguments.map((argument) => evaluate(argument, scope));
      const named = expression.parameters.map(({ name }, index) => [name, given[index] ?? null] as const);
      return evaluate(expression.body, { ...scope, world: { ...scope.world, arguments: new Map(named) } });
    }
    case 'column':
      return columnOf(expression.relation, expression.column, scope);
    case 'call':
      return evaluateCall(expression, scope);
    case 'case':
      return evaluateCase(expression, scope);
    case 'cast':
      return castValue(
        evaluate(expression.operand, scope),
        expression.operand.type,
        expression.type,
        castOptions(expression.field),
      );
    case 'in-list': {
      const value = evaluate(expression.operand, scope);
      const list: Value[] = [];
      for (const item of expression.list) {
        list.push(evaluate(item, scope));
        if (isAmong(value, list) === true) break;
      }
      return negate(isAmong(value, list), expression.negated);
    }
    case 'in-query': {
      const list = evaluateQuery(expression.query, scope).map((row) => row[0] ?? null);
      return negate(isAmong(evaluate(expression.operand, scope), list), expression.negated);
    }
    case 'scalar-query':
      return scalar(expression.query, scope);
    case 'exists':
      return evaluateQuery(expression.query, scope).length > 0;
    case 'aggregate':
      return aggregateRows(expression, scope.group ?? []);
    case 'window': {
      const value = scope.windows?.get(expression);
      if (value === undefined) throw new Error('a window function outside of a select list');
      return value;
    }
    case 'mask': {
      if (expression.type.kind === 'STRUCT')
        return maskLeaves(evaluate(expression.of[0] as TypedExpression, scope), expression.type); // it masks one column
      const hidden = expression.of.map((part) => evaluate(part, scope));
      return hidden.includes(null) || !isText(expression.type) ? null : '****';
    }
  }
}

function maskLeaves(struct: Value, type: Extract<Type, { readonly kind: 'STRUCT' }>): Value {
  if (!(struct instanceof Map)) return struct;
  const leaves = [...(struct as ReadonlyMap<string, Value>)].map(([name, value]): [string, Value] => {
    const field = type.fields.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    if (field?.sensitive !== true) return [name, value];
    return [name, value === null || !isText(field.type) ? null : '****'];
  });
  return new Map(leaves);
}

function isText(type: Type): boolean {
  return type.kind === 'STRING' || type.kind === 'UUID';
}

/** A column of the row; in a group, if it is a key, of any of its rows. */
function columnOf(relation: number, column: string, scope: Scope): Value {
  const rows = scope.group?.[0]?.rows ?? scope.rows;
  const row = rows.get(relation);
  if (row === undefined) throw new Error(`relation ${relation} is not in scope`);
  return row?.get(column.toLowerCase()) ?? null;
}

type Call = Extract<TypedExpression, { readonly kind: 'call' }>;
type Case = Extract<TypedExpression, { readonly kind: 'case' }>;

const compiled = new Map<string, (...given: readonly unknown[]) => unknown>();

function evaluateCall(call: Call, scope: Scope): Value {
  const [left, right] = call.arguments;
  if ((call.function === 'and' || call.function === 'or') && left !== undefined && right !== undefined) {
    const first = evaluate(left, scope) as boolean | null; // the operands are BOOLEAN
    return sql[call.function](first, () => evaluate(right, scope) as boolean | null);
  }
  const given = call.arguments.map((argument) => evaluate(argument, scope));
  const entry = lookupFunction(call.function);
  if (entry === undefined) throw new Error(`unknown function ${call.function}`);
  const text = entry.typescript({
    arguments: call.arguments.map((argument, index) => printedArgument(argument, index)),
    result: call.type,
  });
  let run = compiled.get(text);
  if (run === undefined) {
    const names = given.map((_, index) => `a${index}`);
    // oxlint-disable-next-line typescript/no-implied-eval -- the catalogue's own text, of which the oracle is made
    run = new Function('sql', 'context', ...names, `return ${text};`) as (...given: readonly unknown[]) => unknown;
    compiled.set(text, run);
  }
  return (run(sql, { now: scope.world.now, random: () => 0.5, uuid: () => '' }, ...given) ?? null) as Value;
}

/** Literals are printed as themselves, since some entries inspect them. */
function printedArgument(argument: TypedExpression, index: number) {
  const literal = argument.kind === 'literal' && isText(argument.type) ? argument.value : null;
  const text = typeof literal === 'string' ? quoteTypescript(literal) : `a${index}`;
  return { text, type: argument.type, nullable: argument.nullable, simple: true };
}

function evaluateCase({ operand, branches, otherwise }: Case, scope: Scope): Value {
  const subject = operand === undefined ? true : evaluate(operand, scope);
  for (const { when, then } of branches) {
    const tested = evaluate(when, scope);
    if (subject !== null && tested !== null && comparedBy(tested) === comparedBy(subject)) return evaluate(then, scope);
  }
  return otherwise === undefined ? null : evaluate(otherwise, scope);
}

function castOptions(field: string | undefined): { readonly field?: string } {
  return field === undefined ? {} : { field };
}

function isAmong(value: Value, list: readonly Value[]): boolean | null {
  if (list.length === 0) return false;
  if (value === null) return null;
  if (list.some((item) => item !== null && comparedBy(item) === comparedBy(value))) return true;
  return list.includes(null) ? null : false;
}

function negate(value: boolean | null, negated: boolean): boolean | null {
  return value === null || !negated ? value : !value;
}

function scalar(query: BoundQuery, scope: Scope): Value {
  const rows = evaluateQuery(query, scope);
  if (rows.length > 1) throw fail('R0208', {});
  return rows[0]?.[0] ?? null;
}
