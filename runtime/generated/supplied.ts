/** All values that generated modules call, under the names by which they import them from `schemac/runtime`. */
import { sql as expressions } from '../../language/values/sql.ts';
import * as callers from './caller.ts';
import * as read from './read.ts';
import * as sums from './sums.ts';
import * as write from './write.ts';
import type { Truth } from '../../language/values/boolean.ts';
import type { Comparable } from '../../language/values/compare.ts';
import { fail } from '../../language/failure/failure.ts';

export { defineDomain } from './define-domain.ts';
export { defineFold } from './define-fold.ts';
export { defineState } from './define-state.ts';
export { read, write };

/** Everything that printed expressions call. */
export const sql = { ...expressions, ...sums, ...callers, isIn, streamId } as const;

/**
 * `x IN (…)` by SQL's rules: NULL when nothing is equal and a NULL is involved. Items that are functions are not
 * evaluated after an equal one.
 */
function isIn(value: Comparable | null, list: readonly (Comparable | null | (() => Comparable | null))[]): Truth {
  let missing = value === null;
  for (const given of list) {
    const item = typeof given === 'function' ? given() : given;
    if (value !== null && item === value) return true;
    missing ||= item === null;
  }
  return missing ? null : false;
}

/** The id of the stream in `TO Aggregate(expr)`, as text; for NULL the decision fails. */
function streamId(decision: string, id: string | number | bigint | boolean | null): string {
  if (id === null) throw fail('R0206', { decision, problem: 'the id of the stream that takes an event is NULL' });
  return String(id);
}
