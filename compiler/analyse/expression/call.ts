/** Calls of the function catalogue: the entry chooses types, operands are converted to them, and the facts of the result follow. */
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { conditions, lookupFunction } from '../../functions/catalogue.ts';
import type { FunctionEntry, GivenArgument } from '../../functions/entry.ts';
import type { Span } from '../../../language/source/span.ts';
import type { Binding } from '../query/binding.ts';
import { isMarked } from '../sensitive/mark.ts';
import { reportTextAgainstNumber } from './text-against-number.ts';
import { convert } from './convert.ts';
import { faulty, isFaulty, isUntyped } from '../typed/typed.ts';

/** A call of the entry of that name; faulty, with a report, if the entry does not accept these arguments. */
export function call(name: string, given: readonly TypedExpression[], span: Span, binding: Binding): TypedExpression {
  const entry = lookupFunction(name);
  if (entry === undefined) throw new Error(`the function catalogue has no '${name}'`);
  return callEntry(entry, given, span, binding);
}

export function callEntry(
  entry: FunctionEntry,
  given: readonly TypedExpression[],
  span: Span,
  binding: Binding,
): TypedExpression {
  if (given.some(isFaulty)) return faulty;
  const resolved = entry.resolve(given.map(givenArgument));
  if ('problem' in resolved) {
    const reported = isOperator(entry) && reportTextAgainstNumber(entry, given, span, binding);
    if (!reported) binding.report(diagnose('E0304', span, { problem: resolved.problem }));
    return faulty;
  }
  const converted = given.map((argument, index) =>
    convert(argument, resolved.parameters[index] ?? argument.type, binding),
  );
  if (converted.some(isFaulty)) return faulty;
  const bound: TypedExpression = {
    kind: 'call',
    function: entry.name,
    arguments: converted,
    type: resolved.result,
    nullable: resolved.nullable(converted.map((argument) => argument.nullable)),
    sensitive: carriesMark(entry, converted, binding),
  };
  binding.spans.set(bound, span);
  return bound;
}

export function givenArgument(argument: TypedExpression): GivenArgument {
  const facts = { type: argument.type, untyped: isUntyped(argument) };
  return argument.kind === 'literal' ? { ...facts, literal: argument.value } : facts;
}

/** Entries of operators, and of syntax that becomes a call, are in lower case. */
function isOperator(entry: FunctionEntry): boolean {
  return entry.name === entry.name.toLowerCase();
}

/**
 * In schema text conditions drop the mark (docs/language.md#sensitive-values). In a caller's query every function keeps it, so that the whole
 * expression becomes the mask.
 */
function carriesMark(entry: FunctionEntry, given: readonly TypedExpression[], binding: Binding): boolean {
  if (!given.some(isMarked)) return false;
  if (binding.sensitivity === 'masks') return true;
  return entry.clearsSensitive !== true && !conditions.has(entry.name);
}
