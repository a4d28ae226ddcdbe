import type { SubscriptionOptions } from '../../language/contract/subscription.ts';
import type { ConsumerChange, ConsumerState } from '../store/consumers/consumer-state.ts';
import type { DeliveredRow } from './delivered-row.ts';

/** The outcome of a row of a lease. */
type Fate =
  | 'out'
  | 'acknowledged'
  /** The lease ran out; the row can be acknowledged until it is handed out again. */
  | 'expired'
  /** It failed, or came after one of its key that failed. */
  | 'given back';

/** Rows that a consumer has until a time. */
export interface Lease {
  readonly id: string;
  /** ms since 1970. */
  until: number;
  readonly rows: ReadonlyMap<number, DeliveredRow>;
  readonly fates: Map<number, Fate>;
}

/** A row that a consumer or the passing of time has failed. */
export interface FailedNow {
  readonly row: DeliveredRow;
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

/** The positions of a lease that are still out. */
export function outIn(lease: Lease): readonly number[] {
  return [...lease.fates].flatMap(([position, fate]) => (fate === 'out' ? [position] : []));
}

/** The rows behind a failed one with the same key, which cannot be done before it. */
export function behind(lease: Lease, failed: readonly DeliveredRow[]): readonly number[] {
  const isBehind = behindAny(failed);
  return outIn(lease).filter((position) => isBehind(lease.rows.get(position)));
}

/** Rows that ran out and lie behind a row with the same key that the consumer has lost. */
export function behindLost(lease: Lease, lost: readonly number[]): ReadonlySet<number> {
  const isBehind = behindAny(lost.flatMap((position) => lease.rows.get(position) ?? []));
  const expired = [...lease.fates].flatMap(([position, fate]) => (fate === 'expired' ? [position] : []));
  return new Set(expired.filter((position) => isBehind(lease.rows.get(position))));
}

function behindAny(rows: readonly DeliveredRow[]): (row: DeliveredRow | undefined) => boolean {
  const first = new Map<string, number>();
  for (const { key, position } of rows)
    if (key !== null) first.set(key, Math.min(position, first.get(key) ?? Infinity));
  return (row) => row !== undefined && row.key !== null && row.position > (first.get(row.key) ?? Infinity);
}

/** Of the rows of a lease that are out, the first of each key, and those without one. */
export function firstOfKeys(lease: Lease): readonly DeliveredRow[] {
  const keys = new Set<string>();
  return outIn(lease).flatMap((position) => {
    const row = lease.rows.get(position);
    if (row === undefined || (row.key !== null && keys.has(row.key))) return [];
    if (row.key !== null) keys.add(row.key);
    return [row];
  });
}
