/**
 * A server written by hand with Koa and pg, as one would for one aggregate: each command is one transaction that locks the account's row, checks
 * the guard, and writes the event and the new balance. `DATABASE_URL=… node koa-pg.js`; the tables are made new in the namespace `koa_pg`.
 */
import { randomUUID } from 'node:crypto';
import Router from '@koa/router';
import Koa from 'koa';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
await pool.query(`DROP SCHEMA IF EXISTS koa_pg CASCADE; CREATE SCHEMA koa_pg;
CREATE TABLE koa_pg.event (position bigserial PRIMARY KEY, id text, stream text, seq bigint, type text, data json, at timestamptz, UNIQUE (stream, seq));
CREATE TABLE koa_pg.account (stream text PRIMARY KEY, balance bigint, seq bigint)`);
const state = { name: 'state', text: 'SELECT balance, seq FROM koa_pg.account WHERE stream = $1 FOR UPDATE' };
const keep = {
  name: 'keep',
  text: `WITH kept AS (INSERT INTO koa_pg.account VALUES ($1, $2, $3) ON CONFLICT (stream) DO UPDATE SET balance = $2, seq = $3)
INSERT INTO koa_pg.event (id, stream, seq, type, data, at) VALUES ($4, $1, $3, 'Deposited', $5, now())`,
};

async function deposit({ id, amount, teller }) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query({ ...state, values: [id] });
    const { balance, seq } = rows[0] ?? { balance: 0, seq: 0 };
    const isAllowed = amount > 0 && Number(balance) >= 0;
    const next = Number(seq) + 1;
    if (isAllowed)
      await client.query({
        ...keep,
        values: [id, Number(balance) + amount, next, randomUUID(), JSON.stringify({ amount, teller })],
      });
    await client.query('COMMIT');
    return isAllowed ? { status: 'success', stream_id: id, seq: next } : { status: 'rejected' };
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

const router = new Router();
router.post('/api/aggregates/Account/execute/Deposit', async (context) => {
  const chunks = [];
  for await (const chunk of context.req) chunks.push(chunk);
  context.body = [await deposit(JSON.parse(Buffer.concat(chunks).toString()))];
});
const server = new Koa().use(router.routes()).listen(0, '127.0.0.1', () => {
  console.log(`serving on http://127.0.0.1:${server.address().port} now`);
});
process.once('SIGTERM', () => process.exit(0));
