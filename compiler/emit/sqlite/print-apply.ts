/**
 * Calls of functions of the schema: the body is printed in place of the call. An argument that is more than a name or a literal is a column of
 * a subquery of one row if the body reads it several times, or if it may fail or is random: so it is evaluated once, and before the body.
 */
import { mayFail } from '../../../language/sqlite/call.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { mapExpression, someExpression } from '../../../language/catalog/map-expression.ts';
import { isVolatileCall } from '../../functions/properties-of-call.ts';
import type { Printer } from './printer.ts';

type Apply = Extract<TypedExpression, { readonly kind: 'apply' }>;

export function printApply(printer: Printer, { parameters, arguments: given, body }: Apply): string {
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
