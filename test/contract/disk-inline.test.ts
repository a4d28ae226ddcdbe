import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { storeContract } from './store-contract.ts';

storeContract('embedded store, read model on disk in the same thread', {
  create: async () => {
    const options = {
      directory: freshFolder(),
      readModel: 'inline',
      readEngine: 'disk',
      ledgerInMemory: 8,
      fsync: false,
    } as const;
    return { store: await openEmbeddedStore(options), reopen: () => openEmbeddedStore(options) };
  },
  stopsQueries: false,
});
