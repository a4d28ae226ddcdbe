/**
 * Starting positions of subscriptions, and their places in the log. Their states are stored outside of it; where these are lost, as in a
 * copy or a restored backup, a subscription continues from the place in the log and repeats only the rows that were delivered since.
 */
import type { SubscriptionStart } from '../../../language/contract/subscription.ts';
import { Failure } from '../../../language/failure/failure.ts';
import { parseTimestamp } from '../../../language/values/timestamp.ts';
import type { CommandEntry } from '../../store/entry.ts';
import type { Store } from '../../store/store.ts';
import type { SubscriptionsOptions } from './subscriptions.ts';

/** The number of the entry that created the subscription: an OR REPLACE is not a creation, a CREATE after a DROP is. 0 if the log has none. */
export function generationOf(schema: ReturnType<Store['log']['schema']>, name: string): number {
  const lower = name.toLowerCase();
  let created = 0;
  for (const { number, changes } of schema) {
    for (const { block, change, name: changed } of changes) {
      if (block !== 'subscription' || changed.toLowerCase() !== lower) continue;
      if (change === 'drop') created = 0;
      else if (created === 0) created = number;
    }
  }
  return created;
}

/** The position after which a new subscription begins. */
export async function startingPosition(
  store: Pick<Store, 'log' | 'turns'>,
  start: SubscriptionStart,
  generation: number,
): Promise<number> {
  const { event: end } = await store.turns.fresh();
  switch (start.at) {
    case 'start':
      return 0;
    case 'position':
      return Math.min(start.position, end);
    case 'timestamp': {
      const time = parseTimestamp(start.timestamp);
      return time === undefined ? 0 : timeBefore(store, time - 1n, end);
    }
    case 'now': {
      // The events after the entry that created it are the ones to deliver.
      for await (const entry of store.log.read(generation + 1)) {
        const first = entry.kind === 'command' ? entry.events[0] : undefined;
        if (first !== undefined) return first.position - 1;
      }
      return end;
    }
  }
}

/** The position of the last event up to a time; the end for a time that is still to come. */
async function timeBefore(store: Pick<Store, 'log'>, time: bigint, end: number): Promise<number> {
  try {
    return (await store.log.moment({ time })).position;
  } catch (error) {
    if (error instanceof Failure && error.code === 'R0505') return end;
    throw error;
  }
}

/** The work that one server of a shared log does, and how long it keeps it, in ms: beyond the next time. */
const work = 'places of subscriptions';
const kept = 90_000;

/** Writes the places that have moved since the last time. A write that fails is one of the next time. */
export function createPlaceWriter({
  engine,
  consumers,
  holder,
  now,
}: Pick<SubscriptionsOptions, 'engine' | 'consumers' | 'holder' | 'now'>): () => Promise<void> {
  const written = new Map<string, number>();
  const placeOf = (name: string): number => consumers.stateOf(name).acknowledged ?? 0;
  // Places in the file were written before, up to the last minute before a crash.
  for (const name of consumers.names()) written.set(name, placeOf(name));
  const write = async (name: string): Promise<void> => {
    await consumers.refresh(name);
    const { generation } = consumers.stateOf(name);
    const position = placeOf(name);
    if (generation === 0 || position === (written.get(name) ?? 0)) return;
    const entry: CommandEntry = {
      kind: 'command',
      command: '',
      streamType: '',
      streamId: '',
      events: [],
      cells: { subscription: { name, generation, position } },
    };
    const { store } = engine;
    await store.turns.exclusively((turn) => {
      const last = store.turns.position().at;
      const at = BigInt(Math.floor(now())) * 1000n;
      return turn.append(entry, at > last ? at : last);
    });
    written.set(name, position);
  };
  return async () => {
    const { claims, kind } = engine.store;
    if (kind === 'memory' || engine.readOnly) return;
    try {
      if (claims !== undefined && !(await claims.take(work, holder, kept))) return;
      for (const { name } of engine.domain().subscriptions) await write(name);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  };
}

/** The last place of a subscription that the log has, from the entry on that created it; undefined if it has none. */
export async function loggedPlace(
  store: Pick<Store, 'log'>,
  name: string,
  generation: number,
): Promise<number | undefined> {
  let found: number | undefined;
  for await (const entry of store.log.read(generation + 1)) {
    const place = entry.kind === 'command' ? entry.cells?.subscription : undefined;
    if (place?.name === name && place.generation === generation) found = place.position;
  }
  return found;
}
