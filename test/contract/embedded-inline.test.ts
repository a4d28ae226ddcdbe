import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { testedEngine } from '../kit/tested-engine.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { storeContract } from './store-contract.ts';

storeContract('embedded store, read model in the same thread', {
  create: async () => {
    const options = {
      directory: freshFolder(),
      readModel: 'inline',
      readEngine: testedEngine(),
      fsync: false,
    } as const;
    return { store: await openEmbeddedStore(options), reopen: () => openEmbeddedStore(options) };
  },
  stopsQueries: false,
});
