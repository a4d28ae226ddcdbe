/**
 * Keeps one row of a key at a time: decides which rows can be handed out, which wait for another, and up to which position all are done. A
 * row is known by its position, its event and its key.
 */
import type { SubscriptionOptions } from '../../language/contract/subscription.ts';
import {
  outIn,
  type ConsumerChange,
  type ConsumerState,
  type Fate,
  type Lease,
  type LeasedRow,
} from '../store/side/consumer-state.ts';

/** Rows that were read ahead, behind the acknowledged position and in order. */
export interface ReadRows<Row extends LeasedRow> {
  readonly rows: () => readonly Row[];
  /** Every event up to here was looked at. */
  readonly through: () => number;
}

/** Everything that decides which rows can be handed out. */
export interface Waiting<Row extends LeasedRow> {
  readonly rows: readonly Row[];
  /** Rows that were parked and are delivered again. */
  readonly late: readonly Row[];
  readonly state: ConsumerState;
  readonly options: Pick<SubscriptionOptions, 'maxOut' | 'onFailure'>;
  /** ms since 1970. */
  readonly now: number;
}

export interface Chosen<Row extends LeasedRow> {
  readonly rows: readonly Row[];
  /** The first row that others wait for: it is out, or waits for another try. */
  readonly heldBy: number | undefined;
  /** When a row that waits for another try can be handed out, in ms since 1970. */
  readonly soonest: number | undefined;
}

/**
 * The next rows, at most `most`. Order holds within a key: no row is chosen while an earlier one of its key is out in another lease or
 * waits for another try.
 */
export function chooseRows<Row extends LeasedRow>(waiting: Waiting<Row>, most: number): Chosen<Row> {
  const { rows, late, state, options, now } = waiting;
  const chosen: Row[] = [];
  const blocked = new Set<string>();
  let heldBy: number | undefined;
  let soonest: number | undefined;
  const block = ({ key }: Pick<LeasedRow, 'key'>): void => {
    if (key !== null) blocked.add(key);
  };
  const waits = ({ position }: Row): boolean => {
    const until = state.failed.get(position)?.until ?? 0;
    if (until > now) soonest = Math.min(until, soonest ?? Infinity);
    return state.out.has(position) || until > now;
  };
  if (options.onFailure === 'wait') for (const row of state.parked.values()) block(row);
  for (const row of late) {
    // A row that comes out of turn waits for no other one but itself.
    if (chosen.length < most && !waits(row)) chosen.push(row);
    if (options.onFailure === 'wait' || state.out.has(row.position) || chosen.includes(row)) block(row);
  }
  // A row is never held back by rows behind it, so the first that is not acknowledged can always be handed out.
  let before = 0;
  for (const row of rows) {
    const { position, key } = row;
    if (state.parked.has(position)) continue;
    if (state.done.has(position) || state.out.has(position)) before += 1;
    if (state.done.has(position)) continue;
    if (key !== null && blocked.has(key)) {
      heldBy ??= position;
      continue;
    }
    if (waits(row)) {
      heldBy ??= position;
      block(row);
      continue;
    }
    if (chosen.length >= most || before >= options.maxOut) break;
    chosen.push(row);
    before += 1;
  }
  return { rows: chosen, heldBy, soonest };
}

/** The changes after which these rows are done; without rows, those by which the acknowledged position moves on. */
export function doneChanges(
  read: ReadRows<LeasedRow>,
  state: ConsumerState,
  positions: readonly number[] = [],
): readonly ConsumerChange[] {
  const { acknowledged = 0 } = state;
  const done = new Set(positions);
  const rows = read.rows();
  const open = rows.findIndex(
    ({ position }) =>
      position > acknowledged && !done.has(position) && !state.done.has(position) && !state.parked.has(position),
  );
  const last = open < 0 ? rows.at(-1) : rows[open - 1];
  const to = Math.max(acknowledged, open < 0 ? read.through() : (last?.position ?? 0));
  const moves = to > acknowledged;
  if (positions.length === 0 && !moves) return [];
  return [
    {
      is: 'done',
      positions: positions.filter((position) => position > to || state.late.has(position)),
      ...(moves && { to }),
      ...(moves && last !== undefined && { last: { position: last.position, event: last.event } }),
    },
  ];
}

export function attemptsOf(state: ConsumerState, position: number): number {
  return state.failed.get(position)?.attempts ?? 0;
}

const longestReason = 1000;

/** The meaning of a failure for the row: another try after `delay` ms, or parked, at once or after the last attempt. */
export function failureChange(
  state: ConsumerState,
  { position, event, key }: LeasedRow,
  {
    reason,
    delay,
    most,
    now,
  }: {
    readonly reason: string;
    readonly delay: number | 'park';
    readonly most: number;
    readonly now: number;
  },
): ConsumerChange {
  const attempts = attemptsOf(state, position) + 1;
  const shown = reason.slice(0, longestReason);
  if (delay === 'park' || attempts >= most)
    return { is: 'parked', row: { position, event, key, attempts, reason: shown, at: now } };
  return { is: 'failed', position, row: { attempts, until: now + delay, reason: shown } };
}

/** The rows behind a failed one with the same key, which cannot be done before it. */
export function behind(lease: Lease, failed: readonly LeasedRow[]): readonly number[] {
  return outIn(lease).filter(behindAny(lease, failed));
}

/** Rows that ran out and lie behind a row with the same key that the consumer has lost. */
export function behindLost(lease: Lease, lost: readonly number[]): ReadonlySet<number> {
  const expired = [...lease.fates].flatMap(([position, fate]) => (fate === 'expired' ? [position] : []));
  return new Set(expired.filter(behindAny(lease, rowsAt(lease, lost))));
}

/** The first row of each key in a lease that is out, and the rows without a key. */
export function firstOfKeys(lease: Lease): readonly LeasedRow[] {
  const out = rowsAt(lease, outIn(lease));
  const isBehind = behindAny(lease, out);
  return out.filter(({ position }) => !isBehind(position));
}

export function rowsAt({ rows }: Lease, positions: readonly number[]): readonly LeasedRow[] {
  return positions.flatMap((position) => rows.get(position) ?? []);
}

function behindAny(lease: Lease, rows: readonly LeasedRow[]): (position: number) => boolean {
  const first = new Map<string, number>();
  for (const { key, position } of rows)
    if (key !== null) first.set(key, Math.min(position, first.get(key) ?? Infinity));
  return (position) => {
    const key = lease.rows.get(position)?.key ?? null;
    return key !== null && position > (first.get(key) ?? Infinity);
  };
}

/** Whether rows are out that another definition has made. */
export function hasRowsOfAnother({ leases }: ConsumerState, by: string): boolean {
  return [...leases.values()].some((lease) => lease.by !== by && outIn(lease).length > 0);
}

/** The change by which rows of a lease are out no longer; none without rows. */
export function returned(
  lease: string,
  positions: readonly number[],
  fate: Exclude<Fate, 'out'>,
): readonly ConsumerChange[] {
  return positions.length === 0 ? [] : [{ is: 'returned', lease, positions, fate }];
}
