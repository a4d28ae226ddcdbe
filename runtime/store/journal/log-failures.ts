/** The failures that callers get when the log fails. */
import { fail, Failure } from '../../../language/failure/failure.ts';
import { JournalFailure, type Trouble } from '../journal.ts';

/** A question to the log may succeed later. */
export function heals(error: unknown): boolean {
  return error instanceof JournalFailure ? error.heals : error instanceof Failure && error.code === 'R0413';
}

/** Says that the log may have kept a batch or not. */
export function unknownOutcome(reason: string): Error {
  return fail('R0403', { reason });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The failure of a question to the log: R0413 when it heals. */
export function failureOf(error: unknown): Error {
  if (error instanceof JournalFailure) {
    const { reason, heals } = error;
    return refusedWrite({ reason: heals ? `the log is away (${reason})` : reason, heals });
  }
  return error instanceof Failure ? error : refusedWrite({ reason: messageOf(error), heals: false });
}

/** The failure for a refused write, which was not executed. */
export function refusedWrite({ reason, heals }: Trouble): Failure {
  return heals ? fail('R0413', { reason }) : fail('R0402', { reason });
}
