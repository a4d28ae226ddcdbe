import { fail, type Failure } from '../../../language/failure/failure.ts';
import type { Place } from '../../place/place.ts';

/** The failure of a statement that would write while another store is in use. */
export function readOnlyPlace({ store = '', engine }: Place): Failure {
  return fail('R0402', { reason: `${store} (${engine.store.location}) is opened read-only` });
}
