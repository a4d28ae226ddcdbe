import type { Failure } from '../../../language/failure/failure.ts';

/** Whether a command failed because the store cannot take commands now: then it takes none of the thousands behind it either. */
export function isOfStore({ kind }: Failure): boolean {
  return kind === 'store' || kind === 'busy';
}
