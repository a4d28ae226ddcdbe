import type { Fault } from './faults.ts';
import { failures, type FailureCode } from './catalogue.ts';
import type { FailureKind } from './define.ts';

/**
 * A domain error: a mistake of the caller or the schema, never a bug of the program. It carries a stable code and one sentence, and knows
 * nothing of HTTP or of the terminal.
 */
export class Failure extends Error {
  readonly code: FailureCode;
  /** The argument or option with the error, if there is one: a script shows its place. */
  readonly field: string | undefined;
  /** All faulty arguments, if there are several. */
  readonly faults: readonly Fault[];
  constructor(code: FailureCode, message: string, field?: string, faults: readonly Fault[] = []) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.field = field;
    this.faults = faults;
  }
  get kind(): FailureKind {
    return failures[this.code].kind;
  }
}

/** Makes a failure from the catalogue; the code decides which parameters must be given. */
export function fail<C extends FailureCode>(
  code: C,
  parameters: Parameters<(typeof failures)[C]['message']>[0],
): Failure {
  const message = failures[code].message as (p: typeof parameters) => string;
  const field = 'field' in parameters ? parameters.field : undefined;
  return new Failure(code, message(parameters), field);
}
