import { fail } from '../failure/failure.ts';
import { encodeFailure } from './failure.ts';
import type { SqliteFunction, SqliteValue } from './functions.ts';

/**
 * Time and randomness of one query: the results of `schemac_now()`, `schemac_random()` and `schemac_uuid()` while it runs, and of the last two
 * at a place of a decision.
 */
export interface QueryMoment {
  /** µs since 1970. */
  readonly now: bigint;
  readonly random: (place?: string) => number;
  readonly uuid: (place?: string) => string;
}
/** The function that a recursive table's step calls for each of its rows; always TRUE. */
export const recursionStep = 'schemac_step';

/** The maximum number of rows from the steps of a query's recursive tables: far more than any series needs, and reached in seconds. */
export const mostSteps = 1_000_000;

/** Registered again before each query, or once over a moment that is replaced. */
export function momentFunctions(moment: () => QueryMoment): readonly SqliteFunction[] {
  let counted: QueryMoment | undefined;
  let steps = 0;
  const step = (): SqliteValue => {
    if (counted !== moment()) {
      counted = moment();
      steps = 0;
    }
    steps += 1;
    if (steps > mostSteps) throw new Error(encodeFailure(fail('R0209', { rows: mostSteps })));
    return 1;
  };
  return [
    { name: recursionStep, arity: 0, call: step },
    { name: 'schemac_now', arity: 0, call: () => moment().now.toString() },
    { name: 'schemac_random', arity: 0, call: () => moment().random() },
    { name: 'schemac_uuid', arity: 0, call: () => moment().uuid() },
    { name: 'schemac_random_at', arity: 1, call: (place) => moment().random(String(place)) },
    { name: 'schemac_uuid_at', arity: 1, call: (place) => moment().uuid(String(place)) },
  ];
}
