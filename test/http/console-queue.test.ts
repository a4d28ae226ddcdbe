/** More queries than the console takes at once. Their time limit is long here: the speed of the machine does not matter. */
import { unmasked } from '../../runtime/engine/unmasked.ts';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from './sample-server.ts';

const server = await startSample({
  services: true,
  readModel: 'worker',
  limits: { consoleMilliseconds: 60_000 },
});
test.after(() => server.stop());

test('a full queue refuses queries, while reads and commands continue', async () => {
  await server.append(300, 10);
  const slow =
    'SELECT COUNT(*) AS n FROM Reg."Bike$Events" a, Reg."Bike$Events" b, Reg."Bike$Events" c WHERE c.stream_id = \'S-0\'';
  const asked = Array.from({ length: 12 }, () => server.post('/api/query', { sql: slow }));
  const read = server.get('/api/projections/Fleet/query', { Accept: 'application/json' });
  const sent = server.engine.execute({
    command: 'RegisterBike',
    arguments: new Map([
      ['bike_id', 'B-1'],
      ['model', 'Roadster'],
      ['price', '1.00'],
      ['code', 'secret'],
    ]),
  });
  const statuses = (await Promise.all(asked)).map(({ status }) => status).sort();
  assert.equal(statuses, [...Array<number>(10).fill(200), 503, 503]);
  assert.is(unmasked(await sent).outcome, 'emitted');
  assert.is((await read).status, 200);
});

test('queries whose callers leave give their places in the queue to others', async () => {
  const slow =
    'SELECT COUNT(*) AS n FROM Reg."Bike$Events" a, Reg."Bike$Events" b, Reg."Bike$Events" c WHERE c.stream_id LIKE \'S-%\'';
  const running = Array.from({ length: 2 }, () => server.post('/api/query', { sql: slow }));
  const client = new AbortController();
  const before = server.lines.length;
  const leaving = Array.from({ length: 8 }, () =>
    fetch(`${server.url}/api/query`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ sql: slow }),
      signal: client.signal,
    }),
  );
  setTimeout(() => client.abort(), 300);
  await Promise.allSettled(leaving);
  while (server.lines.length < before + 8) await new Promise((resume) => setTimeout(resume, 10));
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => server.post('/api/query', { sql: 'SELECT 1 AS one' })),
  );
  assert.equal(
    [...answers, ...(await Promise.all(running))].map(({ status }) => status),
    Array<number>(10).fill(200),
  );
});

test.run();
