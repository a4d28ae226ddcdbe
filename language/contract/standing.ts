import type { Type } from '../values/type.ts';
import type { Column } from './query.ts';

const text: Type = { kind: 'STRING' };
const whole: Type = { kind: 'BIGINT' };
const truth: Type = { kind: 'BOOLEAN' };
const time: Type = { kind: 'TIMESTAMP' };

/** Unknown where no server runs, and as of a moment of the past. */
function column(name: string, type: Type): Column {
  return { name, type, nullable: true, sensitive: false };
}

/**
 * Progress of subscriptions and reactions: the last columns of `Reg.meta_subscriptions` and `Reg.meta_reactions`, and of the tables that
 * `/api/subscriptions` and `/api/reactions` answer. They change without an entry of the registry.
 */
export const standingColumns = {
  meta_subscriptions: [
    column('state', text),
    column('reason', text),
    column('acknowledged', whole),
    column('lag_rows', whole),
    column('lag_is_at_least', truth),
    column('lag_seconds', whole),
    column('out', whole),
    column('parked', whole),
    column('held_by', whole),
    column('held_until', time),
    column('last_error', text),
  ],
  meta_reactions: [
    column('state', text),
    column('reason', text),
    column('examined', whole),
    column('ready', whole),
    column('lag_seconds', whole),
    column('waiting', whole),
    column('next_due', time),
    column('parked', whole),
    column('last_error', text),
  ],
} as const satisfies Readonly<Record<string, readonly Column[]>>;

/** A relation with such columns. */
export type StandingRelation = keyof typeof standingColumns;

export function isStandingRelation(relation: string): relation is StandingRelation {
  return Object.hasOwn(standingColumns, relation);
}

/** The parameter of a compiled query that takes the standings of a relation as JSON: an object with an array of values for each name. */
export function standingParameter(relation: StandingRelation): string {
  return `$${relation}`;
}
