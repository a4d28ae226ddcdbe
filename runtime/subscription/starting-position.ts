import type { SubscriptionStart } from '../../language/contract/subscription.ts';
import { Failure } from '../../language/failure/failure.ts';
import { parseTimestamp } from '../../language/values/timestamp.ts';
import type { Store } from '../store/store.ts';

/** The number of the entry that created the subscription: an OR REPLACE is not a creation, a CREATE after a DROP is. 0 if the log has none. */
export function generationOf(schema: ReturnType<Store['schema']>, name: string): number {
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
  store: Pick<Store, 'read' | 'moment' | 'freshPosition'>,
  start: SubscriptionStart,
  generation: number,
): Promise<number> {
  const { event: end } = await store.freshPosition();
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
      for await (const entry of store.read(generation + 1)) {
        const first = entry.kind === 'command' ? entry.events[0] : undefined;
        if (first !== undefined) return first.position - 1;
      }
      return end;
    }
  }
}

/** The position of the last event up to a time; the end for a time that is still to come. */
async function timeBefore(store: Pick<Store, 'moment'>, time: bigint, end: number): Promise<number> {
  try {
    return (await store.moment({ time })).position;
  } catch (error) {
    if (error instanceof Failure && error.code === 'R0505') return end;
    throw error;
  }
}
