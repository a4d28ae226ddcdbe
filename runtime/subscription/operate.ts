import type { ConsumerChange, ConsumerState, ParkedRow } from '../store/consumers/consumer-state.ts';
import { readLastRow } from './delivered-row.ts';
import type { ChangedDefinition } from './changed-definition.ts';
import { mostLag } from './lag.ts';
import type { Lives } from './live.ts';
import type { ReadAhead } from './read-ahead.ts';
import type { Subscriptions, SubscriptionsOptions } from './subscriptions.ts';

/** What operators see and do. */
export type Operating = Pick<
  Subscriptions,
  | 'lastRow'
  | 'parked'
  | 'settleParked'
  | 'retryAll'
  | 'reset'
  | 'stop'
  | 'start'
  | 'startAt'
  | 'starts'
  | 'standing'
  | 'totals'
>;

/** `acknowledged`: rows since the start. */
export function createOperating(
  { engine, consumers, now }: Pick<SubscriptionsOptions, 'engine' | 'consumers' | 'now'>,
  { begun, turn, pass, durableEnd }: Lives,
  { readAhead }: ReadAhead,
  { follow, leftOut, acknowledged: acknowledgedRows }: ChangedDefinition & { readonly acknowledged: () => number },
): Operating {
  /** Whether there was something to change. */
  const change = async (
    name: string,
    changes: (state: ConsumerState) => readonly ConsumerChange[],
  ): Promise<boolean> => {
    const live = await begun(name);
    return turn(live, (state) => {
      const made = changes(state);
      return {
        changes: made,
        result: (after) => {
          pass(live, after);
          return made.length > 0;
        },
      };
    });
  };
  const moveTo = async (
    name: string,
    position: number,
    further: readonly ConsumerChange[],
  ): Promise<{ readonly end: number; readonly done: boolean }> => {
    const live = await begun(name);
    const { event: end } = await engine.store.freshPosition();
    if (position > end) return { end, done: false };
    await turn(live, () => ({
      changes: [{ is: 'reset', to: position }, ...further],
      result: (after) => pass(live, after),
    }));
    return { end, done: true };
  };
  return {
    lastRow: async (name) => {
      const { domain, definition } = await begun(name);
      return readLastRow(engine, domain, definition, durableEnd());
    },
    parked: async (name) => {
      await follow(await begun(name));
      return byPosition(consumers.stateOf(name).parked.values());
    },
    settleParked: (name, position, how) =>
      change(name, ({ parked }) => (parked.has(position) ? [{ is: how, position }] : [])),
    retryAll: async (name, count) => {
      let parked = 0;
      const done = await change(name, (state) => {
        parked = state.parked.size;
        return parked === count ? [...state.parked.keys()].map((position) => ({ is: 'retried', position })) : [];
      });
      return { parked, done: done || (parked === 0 && count === 0) };
    },
    reset: (name, position) => moveTo(name, position, []),
    stop: async (name, reason) => {
      await change(name, () => [{ is: 'stopped', reason }]);
    },
    start: async (name) => {
      await change(name, () => [{ is: 'started' }]);
    },
    startAt: (name, position) => moveTo(name, position, [{ is: 'started' }]),
    starts: async (name) => {
      await consumers.refresh(name);
      return consumers.stateOf(name).starts;
    },
    standing: async (name) => {
      const live = await begun(name);
      await follow(live);
      await readAhead(live, 1);
      const { acknowledged = 0, parked, done, out, stopped, lastError } = consumers.stateOf(name);
      const waiting = live.reader.rows().filter(({ position }) => !done.has(position) && !parked.has(position));
      const [oldest] = waiting;
      const shown = { acknowledged, out: out.size, parked: byPosition(parked.values()), stopped, lastError };
      const through = live.reader.through();
      // Another server may have read and handed out more than this one.
      const isUnread = (position: number): boolean => position > through;
      const settled = [...done].filter(isUnread).length + [...parked.keys()].filter(isUnread).length;
      const unread = await live.counter.between(through, durableEnd());
      const lag = waiting.length + Math.max(0, unread.rows - settled);
      return {
        ...shown,
        lag: Math.min(mostLag, lag),
        more: unread.more || lag > mostLag,
        lagSeconds: oldest === undefined ? 0 : Math.max(0, Math.floor(now() / 1000 - Number(oldest.at / 1_000_000n))),
        heldBy: oldest === undefined ? undefined : live.heldBy,
      };
    },
    totals: () => {
      const states = consumers.names().map(consumers.stateOf);
      return {
        out: states.reduce((sum, { out }) => sum + out.size, 0),
        parked: states.reduce((sum, { parked }) => sum + parked.size, 0),
        stopped: states.filter(({ stopped }) => stopped !== undefined).length,
        acknowledged: acknowledgedRows(),
        leftOut: leftOut(),
      };
    },
  };
}

function byPosition(rows: Iterable<ParkedRow>): readonly ParkedRow[] {
  return [...rows].sort((one, other) => one.position - other.position);
}
