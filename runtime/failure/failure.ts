import { failures, type FailureCode } from './catalogue.ts';

/**
 * A domain error: the caller's or the schema's own fault, never a bug of ours. It carries a stable code and one sentence, and
 * knows nothing of HTTP or of the terminal.
 */
export class Failure extends Error {
  readonly code: FailureCode;
  constructor(code: FailureCode, message: string) {
    super(message);
    this.name = 'Failure';
    this.code = code;
  }
}

/** Makes a failure from the catalogue; the code decides which parameters must be given. */
export function fail<C extends FailureCode>(code: C, parameters: Parameters<(typeof failures)[C]['message']>[0]): Failure {
  const message = failures[code].message as (p: typeof parameters) => string;
  return new Failure(code, message(parameters));
}
