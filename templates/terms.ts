/** The module that explains the guards of a decision (`language/contract/terms.ts`): it is made for the first question, and belongs to no folder. */
import type { TypedExpression } from '../language/catalog/expression.ts';
import type { GuardTerm } from '../language/contract/terms.ts';
import { arrayCode, objectCode, type Code } from './code.ts';
import { dataCode, textCode } from './data.ts';
import type { BranchPrinter } from './expression-printer.ts';
import { functionParts } from './function.ts';
import { createImports } from './imports.ts';
import { stringLiteral } from './literal.ts';
import { mentions } from './mentions.ts';
import type { ModuleFacts } from './module-facts.ts';
import type { ModuleStructure, Part } from './module.ts';

/** A term as the compiler finds it, with the expression whose code is its value. */
export interface PlannedTerm extends Omit<GuardTerm, 'value' | 'terms'> {
  readonly expression: TypedExpression;
  readonly terms?: readonly PlannedTerm[];
}

export interface TermsParts extends ModuleFacts {
  /** A new printer for each term: no term may rely on what another one has tested. */
  readonly printer: () => BranchPrinter;
}

/** The constant `terms`; one list for each branch with a guard. */
export function termsModule(
  branches: readonly (readonly PlannedTerm[] | undefined)[],
  { path, head, printer }: TermsParts,
): ModuleStructure {
  const runtime = createImports();
  const value = arrayCode(
    branches.map((terms) => (terms === undefined ? 'null' : arrayCode(terms.map((term) => termCode(term, printer))))),
  );
  const functions = functionParts(printer().functions(branches), runtime);
  const terms: Part = { kind: 'constant', exported: false, name: 'terms', value };
  if (mentions([{ kind: 'code', code: value }], 'sql')) runtime.value('sql');
  return { path, head, parts: [...functions, terms], imports: runtime.parts() };
}

function termCode({ text, expression, without, operands, terms }: PlannedTerm, printer: TermsParts['printer']): Code {
  return objectCode([
    ['text', textCode(text)],
    ...(without === undefined
      ? ([['value', ['(command, state, context) => ', printer().value(expression)]]] as const)
      : ([['without', stringLiteral(without)]] as const)),
    ...(operands === undefined ? [] : ([['operands', dataCode(operands)]] as const)),
    ...(terms === undefined ? [] : ([['terms', arrayCode(terms.map((term) => termCode(term, printer)))]] as const)),
  ]);
}
