import type { SubscriptionDefinition } from '../../language/contract/subscription.ts';
import { outIn, type ConsumerChange, type ConsumerState } from '../store/consumers/consumer-state.ts';
import { doneChanges } from './done.ts';
import { attemptsOf, behind, behindLost, failureChange, type FailedNow } from './lease.ts';
import { returned, type Lives } from './live.ts';
import type { ReadAhead } from './read-ahead.ts';
import type { Answered, Subscriptions, SubscriptionsOptions } from './subscriptions.ts';

/** What a consumer says of the rows that it has. */
export interface ReturnRows extends Pick<Subscriptions, 'acknowledge' | 'refuse' | 'extend' | 'giveBack' | 'takeBack'> {
  /** Rows acknowledged since the start. */
  readonly acknowledged: () => number;
}

export function createReturnRows(
  { consumers, now }: Pick<SubscriptionsOptions, 'consumers' | 'now'>,
  { known, begun, turn, pass }: Lives,
  { readWhile }: ReadAhead,
): ReturnRows {
  let acknowledgedRows = 0;

  const acknowledge: Subscriptions['acknowledge'] = async (name, id, positions) => {
    const live = await begun(name);
    const handed = consumers.stateOf(name).leases.get(id);
    // Another server may have read the rows; a server that has read them can tell how far all are done.
    if (consumers.isShared && !live.changed && handed !== undefined) {
      const last = Math.max(...handed.rows.keys());
      await readWhile(live, () => live.reader.through() < last);
    }
    return turn<Answered>(live, (state) => {
      const lease = state.leases.get(id);
      if (lease === undefined) return { result: unknownLease(positions) };
      const wanted = positions ?? [...lease.rows.keys()];
      const isLost = (position: number): boolean => {
        const fate = lease.fates.get(position);
        if (fate === 'out' || fate === 'acknowledged') return false;
        return fate !== 'expired' || state.parked.has(position);
      };
      const gone = wanted.filter(isLost);
      // Nor those behind them with their key, which follow once they are done elsewhere.
      const after = behindLost(lease, gone);
      const lost = wanted.filter((position) => gone.includes(position) || after.has(position));
      const done = wanted.filter(
        (position) => !lost.includes(position) && lease.fates.get(position) !== 'acknowledged',
      );
      return {
        changes: [
          ...doneChanges(live.reader, state, done),
          ...(done.length === 0 ? [] : [returned(id, done, 'acknowledged')]),
        ],
        result: (state) => {
          acknowledgedRows += done.length;
          pass(live, state);
          return { known: true, lost, acknowledged: state.acknowledged ?? 0 };
        },
      };
    });
  };

  const refuse: Subscriptions['refuse'] = async (name, id, { reason, delaySeconds, park, stop = false }, positions) => {
    const live = await begun(name);
    const { options } = live.definition;
    return turn<Answered>(live, (state) => {
      const lease = state.leases.get(id);
      if (lease === undefined) return { result: unknownLease(positions) };
      const wanted = positions ?? outIn(lease);
      const lost = wanted.filter((position) => lease.fates.get(position) !== 'out');
      const named = wanted.flatMap((position) => (lost.includes(position) ? [] : (lease.rows.get(position) ?? [])));
      // Of one key only the first has failed; those behind it were not tried on their own.
      const after = new Set(behind(lease, named));
      const rows = named.filter(({ position }) => park || !after.has(position));
      const time = now();
      const failed = (stop ? [] : rows).map((row): FailedNow => ({
        row,
        reason,
        delay: park ? 'park' : (delaySeconds ?? backoff(options, attemptsOf(state, row.position))) * 1000,
      }));
      const failures = failed.map((each) => failureChange(state, each, options, time));
      const back = [...new Set([...named.map(({ position }) => position), ...after])];
      return {
        changes: [
          ...failures,
          ...(back.length === 0 ? [] : [returned(id, back, 'given back')]),
          ...(stop ? [{ is: 'stopped', reason } as const] : []),
          // A parked row no longer holds the acknowledged position back.
          ...doneChanges(live.reader, { ...state, parked: withParked(state, failures) }, []),
        ],
        result: (after) => {
          pass(live, after);
          return { known: true, lost, acknowledged: after.acknowledged ?? 0 };
        },
      };
    });
  };

  return {
    acknowledge,
    refuse,
    acknowledged: () => acknowledgedRows,
    extend: async (name, id, seconds) => {
      const live = await begun(name);
      return turn(live, ({ leases }) => {
        const lease = leases.get(id);
        if (lease === undefined || outIn(lease).length === 0) return { result: () => undefined };
        const until = now() + seconds * 1000;
        return { changes: [{ is: 'extended', lease: id, until }], result: () => until };
      });
    },
    takeBack: async (name) => {
      const live = await begun(name);
      await turn(live, ({ leases }) => ({
        changes: [...leases.values()].flatMap((lease) => {
          const out = lease.by === live.by ? outIn(lease) : [];
          return out.length === 0 ? [] : [returned(lease.id, out, 'given back')];
        }),
        result: (after) => pass(live, after),
      }));
    },
    giveBack: async (name, id, positions) => {
      const live = known(name);
      if (live === undefined) return;
      const isNamed = (position: number): boolean => positions?.includes(position) ?? true;
      await turn(live, ({ leases }) => {
        const lease = leases.get(id);
        return {
          changes: lease === undefined ? [] : [returned(id, outIn(lease).filter(isNamed), 'given back')],
          result: (after) => pass(live, after),
        };
      });
    },
  };
}

function unknownLease(positions: readonly number[] = []): (state: ConsumerState) => Answered {
  return ({ acknowledged = 0 }) => ({ known: false, lost: positions, acknowledged });
}

/** The parked rows after these changes. */
function withParked({ parked }: ConsumerState, changes: readonly ConsumerChange[]): ConsumerState['parked'] {
  const rows = changes.flatMap((change) => (change.is === 'parked' ? [change.row] : []));
  return rows.length === 0 ? parked : new Map([...parked, ...rows.map((row) => [row.position, row] as const)]);
}

/** Seconds before the next try: twice as long each time. */
function backoff(
  { firstDelaySeconds, longestDelaySeconds }: SubscriptionDefinition['options'],
  attempts: number,
): number {
  return Math.min(longestDelaySeconds, firstDelaySeconds * 2 ** Math.min(attempts, 30));
}
