import { fail, type Failure } from '../../language/failure/failure.ts';
import type { Trouble } from './journal.ts';

/** The failure for a refused write, which was not executed. */
export function refusedWrite({ reason, heals }: Trouble): Failure {
  return heals ? fail('R0413', { reason }) : fail('R0402', { reason });
}
