/** Why a command was rejected: the terms of its guards with their values and what they read (docs/language.md#why-a-command-was-rejected). */
import type { DecisionContext } from '../../language/contract/decision.ts';
import type { GuardTerm, GuardTerms, TermOperand } from '../../language/contract/terms.ts';
import { Failure } from '../../language/failure/failure.ts';
import type { ExplainedTerm, NamedValue, Rejection } from './outcome.ts';
import { field } from './state.ts';

/** Adds terms to the guards of a rejection. */
export type Explain = (rejection: Rejection) => Rejection;

/**
 * Explains rejections by the terms of their decision. `guards` are the texts that the terms belong to: a rejection by another definition is
 * left as it is, and so is one without values.
 */
export function explainWith(terms: GuardTerms, guards: readonly (string | null)[]): Explain {
  return (rejection) => {
    const { at, caller } = rejection;
    const isSame = rejection.guards.every(({ guard }, index) => guard === (guards[index] ?? null));
    if (at === undefined || !isSame || rejection.guards.length !== guards.length) return rejection;
    const command = objectOf(rejection.command);
    const state = objectOf(rejection.state ?? []);
    // Parts that depend on chance are not evaluated.
    const context: DecisionContext = { now: at, random: noDraw, uuid: noDraw, ...(caller && { caller }) };
    const inputs = { command, state, context };
    return {
      ...rejection,
      guards: rejection.guards.map((guard, index) => {
        const list = terms[index];
        return list === undefined || list === null
          ? guard
          : { ...guard, terms: list.map((term) => explained(term, inputs)) };
      }),
    };
  };
}

function noDraw(): never {
  throw new Error('a term that depends on chance has no value');
}

function objectOf(values: readonly NamedValue[]): object {
  return Object.assign(
    Object.create(null) as object,
    Object.fromEntries(values.map(({ name, value }) => [name, value])),
  );
}

interface Inputs {
  readonly command: object;
  readonly state: object;
  readonly context: DecisionContext;
}

function explained(term: GuardTerm, inputs: Inputs): ExplainedTerm {
  const { text, operands, terms } = term;
  return {
    term: text,
    ...valueOf(term, inputs),
    ...(operands && { operands: operands.map((operand) => operandOf(operand, inputs)) }),
    ...(terms && { terms: terms.map((part) => explained(part, inputs)) }),
  };
}

/** A failure shows itself, and never changes the outcome, which is decided already. */
function valueOf(
  { value, without }: GuardTerm,
  { command, state, context }: Inputs,
): Pick<ExplainedTerm, 'value' | 'failed' | 'masked'> {
  if (value === undefined) return without === 'sensitive' ? { masked: true } : { failed: 'it depends on chance' };
  try {
    return { value: value(command, state, context) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { failed: `${error.code} ${error.message}` };
  }
}

function operandOf(
  { name, from, type }: TermOperand,
  { command, state }: Inputs,
): NonNullable<ExplainedTerm['operands']>[number] {
  const isArgument = from === 'command';
  return { name: isArgument ? `:${name}` : name, type, value: field(isArgument ? command : state, name) };
}
