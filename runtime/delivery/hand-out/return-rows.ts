/** Takes the reports of consumers about the rows that they have. */
import { outIn } from '../../store/side/consumer-state.ts';
import { attemptsOf, behind, behindLost, doneChanges, failureChange, returned, rowsAt } from '../order.ts';
import { Refused } from '../refused.ts';
import { pauseAfter } from '../retry.ts';
import { readWhile } from './reading.ts';
import type { Serving } from './serving.ts';
import type { Answered, Subscriptions } from './subscriptions.ts';

export type ReturnRows = Pick<Subscriptions, 'acknowledge' | 'refuse' | 'extend' | 'giveBack' | 'takeBack'>;

export function createReturnRows(serving: Serving): ReturnRows {
  const { begun, known, stateOf, turn, now, consumers, counts } = serving;
  return {
    acknowledge: async (name, id, positions) => {
      const live = await begun(name);
      const handed = stateOf(live).leases.get(id);
      // Another server may have read the rows; a server that has read them can tell how far all are done.
      if (consumers.isShared && !live.changed && handed !== undefined) {
        const last = Math.max(...handed.rows.keys());
        await readWhile(serving, live, () => live.reader.through() < last);
      }
      return turn<Answered>(live, (state) => {
        const lease = state.leases.get(id);
        if (lease === undefined) throw noLease(id);
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
          changes: [...doneChanges(live.reader, state, done), ...returned(id, done, 'acknowledged')],
          frees: true,
          result: ({ acknowledged = 0 }) => {
            counts.acknowledged += done.length;
            return { lost, acknowledged };
          },
        };
      });
    },
    refuse: async (name, id, { reason, delaySeconds, park, stop = false }, positions) => {
      const live = await begun(name);
      const { attempts: most, firstDelaySeconds, longestDelaySeconds } = live.definition.options;
      return turn<Answered>(live, (state) => {
        const lease = state.leases.get(id);
        if (lease === undefined) throw noLease(id);
        const wanted = positions ?? outIn(lease);
        const lost = wanted.filter((position) => lease.fates.get(position) !== 'out');
        const named = rowsAt(lease, wanted).filter(({ position }) => !lost.includes(position));
        // Only the first row of a key has failed; those behind it were not tried on their own.
        const after = new Set(behind(lease, named));
        const tried = stop ? [] : named.filter(({ position }) => park || !after.has(position));
        const failures = tried.map((row) => {
          const failed = attemptsOf(state, row.position) + 1;
          const seconds = delaySeconds ?? pauseAfter(failed, firstDelaySeconds, longestDelaySeconds);
          return failureChange(state, row, { reason, delay: park ? 'park' : seconds * 1000, most, now: now() });
        });
        const parked = failures.flatMap((change) =>
          change.is === 'parked' ? [[change.row.position, change.row] as const] : [],
        );
        return {
          changes: [
            ...failures,
            ...returned(id, [...new Set([...named.map(({ position }) => position), ...after])], 'given back'),
            ...(stop ? [{ is: 'stopped', reason } as const] : []),
            // A parked row no longer holds the acknowledged position back.
            ...doneChanges(live.reader, { ...state, parked: new Map([...state.parked, ...parked]) }),
          ],
          frees: true,
          result: ({ acknowledged = 0 }) => ({ lost, acknowledged }),
        };
      });
    },
    extend: async (name, id, seconds) => {
      const live = await begun(name);
      return turn(live, ({ leases }) => {
        const lease = leases.get(id);
        if (lease === undefined || outIn(lease).length === 0) throw noLease(id);
        const until = now() + seconds * 1000;
        return { changes: [{ is: 'extended', lease: id, until }], result: () => until };
      });
    },
    takeBack: async (name) => {
      const live = await begun(name);
      await turn(live, ({ leases }) => ({
        changes: [...leases.values()].flatMap((lease) =>
          lease.by === live.by ? returned(lease.id, outIn(lease), 'given back') : [],
        ),
        frees: true,
        result: () => undefined,
      }));
    },
    giveBack: async (name, id, positions) => {
      const live = known(name);
      if (live === undefined) return;
      const isNamed = (position: number): boolean => positions?.includes(position) ?? true;
      await turn(live, ({ leases }) => {
        const lease = leases.get(id);
        const out = lease === undefined ? [] : outIn(lease);
        return { changes: returned(id, out.filter(isNamed), 'given back'), frees: true, result: () => undefined };
      });
    },
  };
}

function noLease(id: string): Refused {
  return new Refused('not held', `there is no lease '${id.slice(0, 64)}': it was answered, or it ended long ago`);
}
