import type { SubscriptionOptions } from '../../language/contract/subscription.ts';
import {
  outIn,
  type ConsumerChange,
  type ConsumerState,
  type Lease,
  type LeasedRow,
} from '../store/consumers/consumer-state.ts';

/** A row that a consumer or the passing of time has failed. */
export interface FailedNow {
  readonly row: LeasedRow;
  readonly reason: string;
  /** ms until it is handed out again, or parked at once. */
  readonly delay: number | 'park';
}

export function attemptsOf(state: ConsumerState, position: number): number {
  return state.failed.get(position)?.attempts ?? 0;
}

/** What a failure means for the row: another try, or parked after the last one. */
export function failureChange(
  state: ConsumerState,
  { row, reason, delay }: FailedNow,
  { attempts: most }: Pick<SubscriptionOptions, 'attempts'>,
  now: number,
): ConsumerChange {
  const attempts = attemptsOf(state, row.position) + 1;
  const shown = reason.slice(0, longestReason);
  if (delay === 'park' || attempts >= most) {
    const { position, event, key } = row;
    return { is: 'parked', row: { position, event, key, attempts, reason: shown, at: now } };
  }
  return { is: 'failed', position: row.position, row: { attempts, until: now + delay, reason: shown } };
}

const longestReason = 1000;

/** The rows behind a failed one with the same key, which cannot be done before it. */
export function behind(lease: Lease, failed: readonly LeasedRow[]): readonly number[] {
  const isBehind = behindAny(failed);
  return outIn(lease).filter((position) => isBehind(lease.rows.get(position)));
}

/** Rows that ran out and lie behind a row with the same key that the consumer has lost. */
export function behindLost(lease: Lease, lost: readonly number[]): ReadonlySet<number> {
  const isBehind = behindAny(lost.flatMap((position) => lease.rows.get(position) ?? []));
  const expired = [...lease.fates].flatMap(([position, fate]) => (fate === 'expired' ? [position] : []));
  return new Set(expired.filter((position) => isBehind(lease.rows.get(position))));
}

function behindAny(rows: readonly LeasedRow[]): (row: LeasedRow | undefined) => boolean {
  const first = new Map<string, number>();
  for (const { key, position } of rows)
    if (key !== null) first.set(key, Math.min(position, first.get(key) ?? Infinity));
  return (row) => row !== undefined && row.key !== null && row.position > (first.get(row.key) ?? Infinity);
}

/** Of the rows of a lease that are out, the first of each key, and those without one. */
export function firstOfKeys(lease: Lease): readonly LeasedRow[] {
  const keys = new Set<string>();
  return outIn(lease).flatMap((position) => {
    const row = lease.rows.get(position);
    if (row === undefined || (row.key !== null && keys.has(row.key))) return [];
    if (row.key !== null) keys.add(row.key);
    return [row];
  });
}

/** Whether rows are out that another definition has made. */
export function hasRowsOfAnother({ leases }: ConsumerState, by: string): boolean {
  return [...leases.values()].some((lease) => lease.by !== by && outIn(lease).length > 0);
}
