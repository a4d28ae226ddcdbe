import { createHash } from 'node:crypto';
import type { Type } from '../values/type.ts';
import type { AggregateName, TypedExpression } from '../catalog/expression.ts';

/**
 * A fold: aggregates over the events of one aggregate's streams, kept up to date event by event under a key
 * (docs/architecture.md#the-pipeline). Expressions are over one event row: columns of the event relation under relation id `EVENT_ROW`.
 * Folds with equal content have equal ids, so different blocks share them.
 */
export interface Fold {
  /** `f_` and 16 hex digits of a hash of the content. */
  readonly id: string;
  readonly aggregate: string;
  /** The grouping: one expression per key part; none for one row over all streams. */
  readonly key: readonly TypedExpression[];
  /** The condition on an event to take part. */
  readonly where?: TypedExpression;
  readonly slots: readonly FoldSlot[];
}

/** A fold whose id is derived from its content. */
export function foldOf(content: Omit<Fold, 'id'>): Fold {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return { id: `f_${hash.slice(0, 16)}`, ...content };
}

export interface FoldSlot {
  readonly function: Exclude<AggregateName, 'ARRAY_AGG' | 'STRING_AGG'>;
  /** Absent for COUNT(*). */
  readonly argument?: TypedExpression;
  readonly filter?: TypedExpression;
  readonly type: Type;
}

/** The relation id that columns of an event row have inside a fold's expressions. */
export const EVENT_ROW = 0;

/** The way in which a decision reads its state. */
export type StatePlan = { readonly kind: 'none' } | { readonly kind: 'scan'; readonly why: string } | FoldStatePlan;

/**
 * At most one row, composed from folds looked up by key. Expressions of `present` and `items` are over the command's
 * arguments and the lookups' slots: column `s<n>` of relation id `lookup index`.
 */
export interface FoldStatePlan {
  readonly kind: 'folds';
  readonly lookups: readonly FoldLookup[];
  /** An expression for each state column, in order. */
  readonly items: readonly TypedExpression[];
  /** The row exists only if this is TRUE; absent: it always does. */
  readonly present?: TypedExpression;
}
export interface FoldLookup {
  readonly fold: Fold;
  /** For each slot the name of the column that shows it, where one does; code is generated with these names. */
  readonly slotNames: readonly (string | undefined)[];
  /** An expression for each key part, over the command's arguments and the slots of lookups before this one; a NULL in it finds nothing. */
  readonly key: readonly TypedExpression[];
  /** True where the row exists only if the key has events; false for an aggregate without GROUP BY, which always answers. */
  readonly mustExist: boolean;
}
