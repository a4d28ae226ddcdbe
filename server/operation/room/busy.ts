import { Failure } from '../../../language/failure/failure.ts';

/** There is no room for the request now. It was not executed and may be sent again. */
export class Busy extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Busy';
  }
}

/** The client hung up before its request was complete or answered: there is no client to answer. */
export class HungUp extends Error {
  constructor() {
    super('the client hung up');
    this.name = 'HungUp';
  }
}

/** The error of work that was stopped because its caller left, or the error itself. */
export function ofLeaving(error: unknown, signal: AbortSignal | undefined): unknown {
  const isStopped = error instanceof Failure && error.code === 'R0303';
  return isStopped && signal?.aborted === true ? new HungUp() : error;
}
