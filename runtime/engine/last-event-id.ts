import type { Store } from '../store/store.ts';

/** The id of the store's last event, undefined when it has none. Reads few entries, since most of them have events. */
export async function lastEventId(store: Pick<Store, 'turns' | 'log'>): Promise<string | undefined> {
  const { entry, event } = store.turns.position();
  if (event === 0) return undefined;
  let last: string | undefined;
  for (let back = 1; last === undefined; back *= 16) {
    for await (const one of store.log.read(Math.max(1, entry - back + 1))) {
      if (one.kind === 'command') last = one.events.at(-1)?.id ?? last;
    }
    if (back >= entry) return last;
  }
  return last;
}
