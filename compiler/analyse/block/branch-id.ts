import { createHash } from 'node:crypto';

/** What a branch is, for its id (docs/language.md#decision). */
export interface BranchIdentity {
  readonly decision: string;
  /** From 1. */
  readonly index: number;
  readonly label: string | undefined;
  readonly guard: string | undefined;
  /** For each event its name and the fields it is given, as written. */
  readonly events: readonly (readonly string[])[];
}

/** `b_` and 16 hex digits: the same wherever the branch is the same, another when any part of it changes. */
export function branchId({ decision, index, label, guard, events }: BranchIdentity): string {
  const text = JSON.stringify([decision, index, label ?? null, guard ?? null, events]);
  return `b_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}
