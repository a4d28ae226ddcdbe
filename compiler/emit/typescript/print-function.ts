/**
 * The functions of the schema as functions of a module: each module has those that its expressions call, so that a module depends on no other.
 * Their names contain `$`, which no name of a block does.
 */
import type { Code } from '../../../templates/code.ts';
import type { PrintedFunction } from '../../../templates/expression-printer.ts';
import { createNameScope, localName } from '../../../templates/identifiers.ts';
import { valueType } from '../../../templates/value-type.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { comparesNarrowed, nothingPinned } from './narrowing.ts';
import { nothingKnown, type InputExpression } from './nulls.ts';
import { printValueCode, type PrintScope } from './print-expression.ts';

type Apply = Extract<TypedExpression, { readonly kind: 'apply' }>;
export type FunctionName = PrintScope['functionName'];

/** In a decision, and in the CHECKs of a command. */
export const functionName: FunctionName = (name) => `${name}$`;
/** In the folds of a decision, which are in one module with it when it is loaded into a running server. */
export const foldFunctionName: FunctionName = (name) => `${name}$fold`;

/** The functions that are called anywhere in a piece of a catalog or a plan, directly or by each other, sorted by name. */
export function printFunctions(within: unknown, nameOf: FunctionName): readonly PrintedFunction[] {
  const found = new Map<string, Apply>();
  collect(within, found);
  return [...found.values()]
    .sort((a, b) => (a.function < b.function ? -1 : 1))
    .map((called) => printFunction(called, nameOf));
}

function collect(value: unknown, found: Map<string, Apply>): void {
  if (typeof value !== 'object' || value === null) return;
  if (isApply(value)) {
    if (!found.has(value.function)) {
      found.set(value.function, value);
      collect(value.body, found);
    }
    collect(value.arguments, found);
    return;
  }
  for (const part of Object.values(value)) collect(part, found);
}

/** Bound trees are plain data: only expressions have both `kind` and `nullable`. */
function isApply(value: object): value is Apply {
  return 'kind' in value && value.kind === 'apply' && 'nullable' in value;
}

function printFunction({ function: name, parameters, body }: Apply, nameOf: FunctionName): PrintedFunction {
  const locals = createNameScope(['sql']);
  const named = new Map(parameters.map((parameter) => [parameter.name, locals.take(localName(parameter.name))]));
  const input = (given: InputExpression): string => {
    const local = given.kind === 'parameter' ? named.get(given.name) : undefined;
    if (local === undefined) throw new Error(`${given.kind} is not allowed in a function`);
    return local;
  };
  const careful = comparesNarrowed(body, nothingPinned);
  const code: Code = printValueCode(body, { input, functionName: nameOf, known: nothingKnown, careful });
  return {
    name: nameOf(name),
    documentation: [`FUNCTION ${name}.`],
    parameters: parameters.map((parameter) => ({
      name: named.get(parameter.name) ?? '',
      type: valueType(parameter.type, true),
    })),
    returns: valueType(body.type, body.nullable),
    value: code,
  };
}
