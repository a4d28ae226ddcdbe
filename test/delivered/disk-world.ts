/** A server in this process on a directory, which is stopped and started again. */
import { rmSync } from 'node:fs';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { collect } from '../contract/accounts.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { serveStore, type ServedStore } from './database-world.ts';
import type { Push, World } from './world.ts';

export async function diskWorld(push: Push): Promise<World> {
  const directory = freshFolder();
  const open = (): Promise<Store> => openEmbeddedStore({ directory, readModel: 'inline' });
  let store = await open();
  let served: ServedStore | undefined = await serveStore(store, push);
  return {
    places: [{ name: 'server-1', url: () => served?.url }],
    subscriptions: true,
    trouble: async () => {
      const stopped = served;
      served = undefined;
      await stopped?.stop();
      store = await open();
      served = await serveStore(store, push);
      return true;
    },
    calm: () => Promise.resolve(),
    log: () => collect(store.log.read(1)),
    close: async () => {
      await served?.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
