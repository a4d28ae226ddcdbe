import { columnsOf } from './query.ts';

/**
 * Progress of subscriptions and reactions: the last columns of `Reg.meta_subscriptions` and `Reg.meta_reactions`, and of the tables that
 * `/api/subscriptions` and `/api/reactions` answer. They change without an entry of the registry. Unknown where no server runs,
 * and as of a moment of the past.
 */
export const standingColumns = {
  meta_subscriptions: columnsOf(
    'state? reason? acknowledged:BIGINT? lag_rows:BIGINT? lag_is_at_least:BOOLEAN? lag_seconds:BIGINT? out:BIGINT? parked:BIGINT? ' +
      'held_by:BIGINT? held_until:TIMESTAMP? last_error?',
  ),
  meta_reactions: columnsOf(
    'state? reason? examined:BIGINT? ready:BIGINT? lag_seconds:BIGINT? waiting:BIGINT? next_due:TIMESTAMP? parked:BIGINT? last_error?',
  ),
};

/** A relation with such columns. */
export type StandingRelation = keyof typeof standingColumns;

export function isStandingRelation(relation: string): relation is StandingRelation {
  return Object.hasOwn(standingColumns, relation);
}

/** The parameter of a compiled query that takes the standings of a relation as JSON: an object with an array of values for each name. */
export function standingParameter(relation: StandingRelation): string {
  return `$${relation}`;
}
