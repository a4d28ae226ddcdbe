/** `node emmett-sqlite.js <folder> <commands>` prints commands per second. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { getSQLiteEventStore } from '@event-driven-io/emmett-sqlite';
import { measure } from './emmett.js';

const [folder, commands] = process.argv.slice(2);
const store = getSQLiteEventStore({
  fileName: join(folder, `emmett-${randomUUID()}.db`),
  schema: { autoMigration: 'CreateOrUpdate' },
});
// The store opens a connection for each command: two at once find the database locked.
console.log(await measure(store, Number(commands), 1));
process.exit(0);
