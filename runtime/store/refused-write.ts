import { fail, type Failure } from '../../language/failure/failure.ts';
import type { Trouble } from './journal.ts';

/** What a caller is told whose write is not taken. Nothing of it was done. */
export function refusedWrite({ reason, heals }: Trouble): Failure {
  return heals ? fail('R0413', { reason }) : fail('R0402', { reason });
}
