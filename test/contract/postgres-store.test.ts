import { test } from 'uvu';
import { openPostgresStore } from '../../runtime/store/postgres/postgres-store.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { startDatabase } from '../kit/database.ts';
import { storeContract } from './store-contract.ts';

const database = await startDatabase();

if ('missing' in database) {
  test.skip(`store on PostgreSQL: ${database.missing}`, () => undefined);
} else {
  let made = 0;
  storeContract('store on PostgreSQL', {
    create: async () => {
      const options = {
        url: database.url,
        namespace: `contract_${process.pid}_${++made}`,
        readModel: 'inline',
      } as const;
      return { store: await openPostgresStore(options), reopen: () => openPostgresStore(options) };
    },
    stopsQueries: false,
  });
  storeContract('store on PostgreSQL, its read model on disk', {
    create: async () => {
      const options = {
        url: database.url,
        namespace: `contract_${process.pid}_${++made}`,
        readModel: 'inline',
        tables: { directory: freshFolder() },
      } as const;
      return { store: await openPostgresStore(options), reopen: () => openPostgresStore(options) };
    },
    stopsQueries: false,
  });
  test.after(database.stop);
  test('the server of the suite is stopped', () => undefined);
}
test.run();
