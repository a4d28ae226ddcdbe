import type { BoundQuery } from '../../../language/catalog/query.ts';
import { isVolatileCall } from '../../functions/properties-of-call.ts';
import { holdsAnywhere } from './shape.ts';

/** Whether a row of the query may differ each time it is computed, so that it must be computed once. */
export function isVolatile(query: BoundQuery): boolean {
  return holdsAnywhere(query, isVolatileCall);
}
