/**
 * The account of the benchmarks written for emmett on PostgreSQL, behind a Koa route: `DATABASE_URL=… node emmett.js`. Its tables are
 * in the namespace `public`.
 */
import { CommandHandler } from '@event-driven-io/emmett';
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import Router from '@koa/router';
import Koa from 'koa';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const store = getPostgreSQLEventStore(process.env.DATABASE_URL, {
  schema: { autoMigration: 'CreateOrUpdate' },
  connectionOptions: { pooled: true, pool },
});
await store.schema.migrate();
const handle = CommandHandler({
  initialState: () => ({ balance: 0 }),
  evolve: ({ balance }, { data }) => ({ balance: balance + data.amount }),
});

const router = new Router();
router.post('/api/aggregates/Account/execute/Deposit', async (context) => {
  const chunks = [];
  for await (const chunk of context.req) chunks.push(chunk);
  const { id, amount, teller } = JSON.parse(Buffer.concat(chunks).toString());
  const { nextExpectedStreamVersion } = await handle(store, id, ({ balance }) => {
    if (amount <= 0 || balance < 0) throw new Error('not enough');
    return { type: 'Deposited', data: { amount, teller } };
  });
  context.body = [{ status: 'success', stream_id: id, seq: Number(nextExpectedStreamVersion) }];
});
const server = new Koa().use(router.routes()).listen(0, '127.0.0.1', () => {
  console.log(`serving on http://127.0.0.1:${server.address().port} now`);
});
process.once('SIGTERM', () => process.exit(0));
