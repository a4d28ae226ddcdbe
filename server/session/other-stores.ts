/**
 * The event stores that a session reads besides its own (docs/language.md#inspections). Takes the name of an EVENTSTORE block, gives the
 * place where queries and inspections read it; never writes there.
 */
import type { Registry } from '../../compiler/index.ts';
import { createEngine } from '../../runtime/engine/create-engine.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import { combineBlocks } from '../registry/from-log/combine-blocks.ts';
import type { DomainLoader } from '../registry/load/domain-loader.ts';
import { systemClock } from '../../runtime/store/disk/node-disk.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { openReadOnlyStore } from '../../runtime/store/embedded/read-only-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import type { Place } from './place.ts';
import { markOf, openLocated, type StoreLocation } from './store-location.ts';

export interface OtherStores {
  /** The store in its current state, opened read-only. Throws R0501 if it cannot be opened. */
  readonly open: (name: string) => Promise<Place>;
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

interface Opened extends Place {
  /** As text. */
  readonly location: string;
  /** Changes when the log does. */
  readonly mark: string;
  /** The session's own blocks by which it is read. */
  readonly blocks: object;
}

export function createOtherStores(options: OtherStoresOptions): OtherStores {
  const opened = new Map<string, Opened>();
  const release = async (name: string): Promise<void> => {
    const known = opened.get(name);
    opened.delete(name);
    await known?.engine.close();
  };
  return {
    open: async (name) => {
      const located = options.locate(name);
      const location = JSON.stringify(located);
      const mark = await markOf(located);
      const { blocks } = options.engine.domain();
      const known = opened.get(name);
      if (known?.location === location && known.mark === mark && known.blocks === blocks) return known;
      await release(name);
      const open = (): Promise<Store> => openLocated(located, options.readModel);
      const place = { ...(await openPlace(name, open, options)), location, mark, blocks };
      opened.set(name, place);
      return place;
    },
    close: async () => {
      for (const name of [...opened.keys()]) await release(name);
    },
  };
}

/** A place on a store that `open` opens read-only; the caller must close its engine. */
export async function openPlace(
  name: string,
  open: () => Promise<Store>,
  options: Pick<OtherStoresOptions, 'engine' | 'loader'>,
): Promise<Place> {
  const store = await open();
  try {
    const registry = await registryFor(name, store, options.engine);
    const engine = await createEngine({
      store,
      domain: await options.loader.load(registry.catalog),
      clock: systemClock,
      randomBytes: createSystemRandom(),
      readOnly: true,
    });
    return { store: name, registry, engine };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** The session's own store in its current state, read-only. */
export function openAside(options: Omit<OtherStoresOptions, 'locate'>): Promise<Place> {
  const { store } = options.engine;
  const { location: directory } = store;
  const open = store.aside ?? (() => openReadOnlyStore({ directory, readModel: options.readModel }));
  return openPlace('', open, options);
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
