import { createHash } from 'node:crypto';

/** The properties of a branch that its id is made of (docs/language.md#decision). */
export interface BranchIdentity {
  readonly decision: string;
  /** From 1. */
  readonly index: number;
  readonly label: string | undefined;
  readonly guard: string | undefined;
  /** For each event its name and its assigned fields, as written. */
  readonly events: readonly (readonly string[])[];
}

/** `b_` and 16 hex digits: equal for equal branches, different when any part of the branch changes. */
export function branchId({ decision, index, label, guard, events }: BranchIdentity): string {
  const text = JSON.stringify([decision, index, label ?? null, guard ?? null, events]);
  return `b_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}
