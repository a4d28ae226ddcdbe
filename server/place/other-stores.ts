/**
 * Places of the event stores that a session reads in addition to its own (docs/language.md#inspections): in their current state, by the
 * blocks of the session; never written.
 */
import type { Registry } from '../../compiler/index.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { systemClock } from '../../runtime/store/disk/node-disk.ts';
import type { Store } from '../../runtime/store/store.ts';
import { combineBlocks } from '../registry/from-log/combine-blocks.ts';
import type { DomainLoader } from '../registry/load/domain-loader.ts';
import { nothingToClose, placeNow, type CompiledPlace } from './place.ts';
import { markOf, openLocated, type StoreLocation } from './store-location.ts';

export interface OtherStores {
  /** The store that an EVENTSTORE block names, open until it or its definitions change. Throws R0501 if it cannot be opened. */
  readonly open: (name: string) => Promise<CompiledPlace>;
  /** Closes all of them. */
  readonly close: () => Promise<void>;
}

export interface OtherStoresOptions {
  /** The session's own. */
  readonly engine: Engine;
  readonly loader: DomainLoader;
  /** The place of the store that an EVENTSTORE block of the session names. */
  readonly locate: (name: string) => StoreLocation;
  /** `worker`: this thread must stay free for other work. */
  readonly readModel: 'inline' | 'worker';
}

interface Opened {
  /** Differs when the store is elsewhere, its log has changed, or the blocks by which it is read have. */
  readonly shows: readonly unknown[];
  readonly place: CompiledPlace;
}

export function createOtherStores(options: OtherStoresOptions): OtherStores {
  const opened = new Map<string, Opened>();
  const release = async (name: string): Promise<void> => {
    const known = opened.get(name);
    opened.delete(name);
    await known?.place.engine.close();
  };
  return {
    open: async (name) => {
      const located = options.locate(name);
      const shows = [JSON.stringify(located), await markOf(located), options.engine.domain().blocks];
      const known = opened.get(name);
      if (known?.shows.every((part, at) => part === shows[at]) === true) return known.place;
      await release(name);
      const place = await openStore(name, () => openLocated(located, options.readModel), options);
      const shared = { ...place, close: nothingToClose };
      opened.set(name, { shows, place: shared });
      return shared;
    },
    close: async () => {
      for (const name of [...opened.keys()]) await release(name);
    },
  };
}

async function openStore(
  name: string,
  open: () => Promise<Store>,
  { engine: own, loader }: Pick<OtherStoresOptions, 'engine' | 'loader'>,
): Promise<CompiledPlace> {
  const store = await open();
  try {
    const registry = await registryFor(name, store, own);
    const domain = await loader.load(registry.catalog);
    const engine = await createReactingEngine({
      store,
      domain,
      clock: systemClock,
      randomBytes: createSystemRandom(),
      readOnly: true,
    });
    return { ...placeNow(engine, domain, () => registry), store: name, close: engine.close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function registryFor(name: string, store: Store, own: Engine): Promise<Registry> {
  try {
    return await combineBlocks(own.domain().blocks, store);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw fail('R0501', {
      store: name,
      problem: `it cannot be read with the blocks of this session: ${error.message}`,
    });
  }
}
