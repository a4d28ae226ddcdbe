/**
 * How far subscriptions have come, in the log. Their places lie beside it; where those are lost, as in a copy or a restored backup, a subscription goes
 * on from here and repeats what was delivered since, not everything.
 */
import { Failure } from '../../language/failure/failure.ts';
import type { CommandEntry } from '../store/entry.ts';
import type { Store } from '../store/store.ts';
import type { SubscriptionsOptions } from './subscriptions.ts';

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
  // What the file has was written before, up to the last minute before a crash.
  for (const name of consumers.names()) written.set(name, placeOf(name));
  const write = async (name: string): Promise<void> => {
    await consumers.refresh(name);
    const { generation } = consumers.stateOf(name);
    const position = placeOf(name);
    if (generation === 0 || position === (written.get(name) ?? 0)) return;
    const entry: CommandEntry = {
      ...{ kind: 'command', command: '', streamType: '', streamId: '', events: [] },
      cells: { subscription: { name, generation, position } },
    };
    const { store } = engine;
    await store.exclusively((turn) => {
      const last = store.knownPosition().at;
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
  store: Pick<Store, 'read'>,
  name: string,
  generation: number,
): Promise<number | undefined> {
  let found: number | undefined;
  for await (const entry of store.read(generation + 1)) {
    const place = entry.kind === 'command' ? entry.cells?.subscription : undefined;
    if (place?.name === name && place.generation === generation) found = place.position;
  }
  return found;
}
