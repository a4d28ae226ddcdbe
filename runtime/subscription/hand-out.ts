import type { SubscriptionOptions } from '../../language/contract/subscription.ts';
import type { ConsumerState } from '../store/consumers/consumer-state.ts';
import type { DeliveredRow } from './delivered-row.ts';

/** Everything that decides which rows can be handed out. */
export interface Waiting {
  /** Rows behind the acknowledged position, in order. */
  readonly rows: readonly DeliveredRow[];
  /** Rows that were parked and are delivered again. */
  readonly late: readonly DeliveredRow[];
  readonly isOut: (position: number) => boolean;
  readonly state: ConsumerState;
  readonly options: Pick<SubscriptionOptions, 'maxOut' | 'onFailure'>;
  /** ms since 1970. */
  readonly now: number;
}

export interface Chosen {
  readonly rows: readonly DeliveredRow[];
  /** The first row that others wait for: it is out, or waits for another try. */
  readonly heldBy: number | undefined;
  /** When a row that waits for another try can be handed out, in ms since 1970. */
  readonly soonest: number | undefined;
}

/**
 * The next rows, at most so many. Order holds within a key: no row is chosen while an earlier one of its key is out in another lease or waits for
 * another try.
 */
export function chooseRows(waiting: Waiting, most: number): Chosen {
  const { rows, late, isOut, state, options, now } = waiting;
  const chosen: DeliveredRow[] = [];
  const blocked = new Set<string>();
  let heldBy: number | undefined;
  let soonest: number | undefined;
  const block = ({ key }: Pick<DeliveredRow, 'key'>): void => {
    if (key !== null) blocked.add(key);
  };
  const waits = (row: DeliveredRow): boolean => {
    const until = state.failed.get(row.position)?.until ?? 0;
    if (until > now) soonest = Math.min(until, soonest ?? Infinity);
    return isOut(row.position) || until > now;
  };
  if (options.onFailure === 'wait') for (const row of state.parked.values()) block(row);
  for (const row of late) {
    // A row that comes out of turn waits for no other one but itself.
    if (chosen.length < most && !waits(row)) chosen.push(row);
    if (options.onFailure === 'wait' || isOut(row.position) || chosen.includes(row)) block(row);
  }
  // A row is never held back by rows behind it, so the first that is not acknowledged always goes on.
  let before = 0;
  for (const row of rows) {
    const { position, key } = row;
    if (state.parked.has(position)) continue;
    if (state.done.has(position) || isOut(position)) before += 1;
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
