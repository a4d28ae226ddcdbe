import type { DecisionContext } from './decision.ts';
import type { Type } from '../values/type.ts';

/** A part of a guard with a value of its own (docs/language.md#why-a-command-was-rejected). */
export interface GuardTerm {
  /** In canonical print. */
  readonly text: string;
  /** TRUE, FALSE or NULL, by the code of the guard itself. Throws a `Failure` where the part fails. Absent if it must not be shown. */
  readonly value?: (command: object, state: object, context: DecisionContext) => boolean | null;
  /** Why there is no value. `sensitive`: it would tell a SENSITIVE value. `chance`: another draw would show another value. */
  readonly without?: 'sensitive' | 'chance';
  /** Values that a part without parts reads. */
  readonly operands?: readonly TermOperand[];
  /** The parts of OR, NOT and an inner AND. */
  readonly terms?: readonly GuardTerm[];
}

export interface TermOperand {
  /** Name of an argument or of a column of the state. */
  readonly name: string;
  readonly from: 'command' | 'state';
  readonly type: Type;
}

/** For each branch of a decision in order, the conjuncts of its guard; null without a guard. */
export type GuardTerms = readonly (readonly GuardTerm[] | null)[];
