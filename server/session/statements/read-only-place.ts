import { fail, type Failure } from '../../../language/failure/failure.ts';
import type { Place } from '../place.ts';

/** Another store is in use, and the statement would write. */
export function readOnlyPlace({ store = '', engine }: Place): Failure {
  return fail('R0402', { reason: `${store} (${engine.store.location}) is opened for reading only` });
}
