import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { storeContract } from './store-contract.ts';

storeContract('memory store', {
  create: async () => ({ store: await openMemoryStore() }),
  stopsQueries: false,
});
