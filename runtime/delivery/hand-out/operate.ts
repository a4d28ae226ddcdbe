/** The acts of operators on subscriptions, and their view of them. */
import type { ConsumerChange, ConsumerState, ParkedRow } from '../../store/side/consumer-state.ts';
import { Refused, requireWithin } from '../refused.ts';
import { readLastRow } from './delivered-row.ts';
import { mostLag } from './lag.ts';
import { followDefinition, readAhead } from './reading.ts';
import type { Live, Serving } from './serving.ts';
import type { Position, Standing, Subscriptions } from './subscriptions.ts';

export type Operating = Omit<
  Subscriptions,
  'next' | 'acknowledge' | 'refuse' | 'extend' | 'giveBack' | 'takeBack' | 'logPlaces' | 'close'
>;

export function createOperating(serving: Serving): Operating {
  const { engine, consumers, begun, stateOf, turn, durableEnd, counts } = serving;
  const change = async (name: string, changes: (state: ConsumerState) => readonly ConsumerChange[]): Promise<void> => {
    const live = await begun(name);
    await turn(live, (state) => ({ changes: changes(state), frees: true, result: () => undefined }));
  };
  const reset = async (name: string, position: Position, further: readonly ConsumerChange[] = []): Promise<number> => {
    const live = await begun(name);
    const { event: end } = await engine.store.turns.fresh();
    const to = position === 'end' ? end : position;
    requireWithin(end, to);
    return turn(live, () => ({ changes: [{ is: 'reset', to }, ...further], frees: true, result: () => to }));
  };
  return {
    lastRow: async (name) => {
      const { domain, definition } = await begun(name);
      return readLastRow(engine, domain, definition, durableEnd());
    },
    parked: async (name) => {
      const live = await begun(name);
      await followDefinition(serving, live);
      return byPosition(stateOf(live).parked.values());
    },
    settleParked: (name, position, how) =>
      change(name, ({ parked }) => {
        if (!parked.has(position)) throw new Refused('no row', `no row of '${name}' is parked at position ${position}`);
        return [{ is: how, position }];
      }),
    retryAll: (name, count) =>
      change(name, ({ parked }) => {
        if (parked.size !== count)
          throw new Refused('not held', `${parked.size} rows are parked, not ${count}; nothing was changed`);
        return [...parked.keys()].map((position) => ({ is: 'retried', position }));
      }),
    reset,
    stop: (name, reason) => change(name, () => [{ is: 'stopped', reason }]),
    start: async (name, position) => {
      if (position === undefined) await change(name, () => [{ is: 'started' }]);
      else await reset(name, position, [{ is: 'started' }]);
    },
    starts: async (name) => {
      await consumers.refresh(name);
      return consumers.stateOf(name).starts;
    },
    standing: async (name) => {
      const live = await begun(name);
      await followDefinition(serving, live);
      await readAhead(serving, live, 1);
      return standingOf(serving, live);
    },
    totals: () => {
      const states = consumers.names().map(consumers.stateOf);
      return {
        out: states.reduce((sum, { out }) => sum + out.size, 0),
        parked: states.reduce((sum, { parked }) => sum + parked.size, 0),
        stopped: states.filter(({ stopped }) => stopped !== undefined).length,
        ...counts,
      };
    },
  };
}

async function standingOf({ stateOf, durableEnd, now }: Serving, live: Live): Promise<Standing> {
  const { acknowledged = 0, parked, done, out, stopped, lastError } = stateOf(live);
  const { reader, counter } = live;
  const waiting = reader.rows().filter(({ position }) => !done.has(position) && !parked.has(position));
  const [oldest] = waiting;
  const shown = { acknowledged, out: out.size, parked: byPosition(parked.values()), stopped, lastError };
  const through = reader.through();
  // Another server may have read and handed out more than this one.
  const settled = [...done, ...parked.keys()].filter((position) => position > through).length;
  const unread = await counter.between(through, durableEnd());
  const lag = waiting.length + Math.max(0, unread.rows - settled);
  return {
    ...shown,
    lag: Math.min(mostLag, lag),
    more: unread.more || lag > mostLag,
    lagSeconds: oldest === undefined ? 0 : Math.max(0, Math.floor(now() / 1000 - Number(oldest.at / 1_000_000n))),
    heldBy: oldest === undefined ? undefined : live.heldBy,
  };
}

function byPosition(rows: Iterable<ParkedRow>): readonly ParkedRow[] {
  return [...rows].sort((one, other) => one.position - other.position);
}
