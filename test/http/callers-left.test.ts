/** Callers who close their connection while their question runs. The limits of time are so long here that no question could reach them. */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from './sample-server.ts';

const [consoleMilliseconds, resultMilliseconds, inspectMilliseconds] = [3_600_000, 3_600_000, 3_600_000];
const server = await startSample({
  services: true,
  readModel: 'worker',
  limits: { consoleMilliseconds, resultMilliseconds, inspectMilliseconds },
});
test.after(() => server.stop());
await server.append(300, 10);

/** Ends after years. */
const endless = `SELECT COUNT(*) AS n FROM ${['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => `Reg."Bike$Events" ${name}`).join(', ')} WHERE a.seq + g.seq > 0`;
const created = await server.post('/api/lang/create', { lang: `CREATE PROJECTION Endless AS ${endless};` });
assert.is(created.status, 201);

interface Question {
  readonly path: string;
  readonly body?: object;
}

/** Asks on a connection of its own, and closes that while the question runs. */
async function leave({ path, body }: Question): Promise<void> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const socket = connect(server.port, '127.0.0.1');
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const head = `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json`;
  socket.write(`${head}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  await pause(2_000);
  socket.destroy();
  await closed;
}

const sql = (text: string): Question => ({ path: '/api/query', body: { sql: text } });
const inspect = (text: string): Question => ({
  path: '/api/inspect',
  body: { projection: 'Tried', schema: `CREATE PROJECTION Tried AS ${text};` },
});

const cases: readonly (readonly [name: string, endless: Question, quick: Question])[] = [
  ['a query', sql(endless), sql('SELECT 1 AS n')],
  [
    'a query about the past',
    sql(`${endless} AS OF POSITION 300`),
    sql('SELECT COUNT(*) AS n FROM Reg.Fleet AS OF POSITION 1'),
  ],
  ['an inspection', inspect(endless), inspect('SELECT 1 AS n')],
  ['a filter', { path: '/api/projections/Endless/query?n[gt]=1' }, { path: '/api/projections/Fleet/query?limit=1' }],
  [
    'a read as of a moment',
    { path: '/api/projections/Endless/query?as_of=300' },
    { path: '/api/projections/Fleet/query?as_of=1' },
  ],
];

for (const [name, slow, quick] of cases)
  test(`${name} ends when its callers have left`, async () => {
    const answered = async (): Promise<number> =>
      (await (quick.body === undefined ? server.get(quick.path) : server.post(quick.path, quick.body))).status;
    // The threads that it needs run then.
    assert.is(await answered(), 200);
    // More than run at once, or wait.
    await Promise.all(Array.from({ length: 4 }, () => leave(slow)));
    assert.is(await Promise.race([answered(), pause(120_000, 'no answer', { ref: false })]), 200);
  });

test.run();
