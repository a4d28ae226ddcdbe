/** A slow filter is answered by a copy of the read model, so that requests behind it are answered before it. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from './sample-server.ts';

const server = await startSample({ services: true, readModel: 'worker' });
test.after(() => server.stop());

const json = { Accept: 'application/json' };
const events = 'Reg."Bike$Events"';
const lang = `CREATE PROJECTION Triples AS SELECT a.stream_id, COUNT(*) AS n FROM ${events} a CROSS JOIN ${events} b CROSS JOIN ${events} c
  WHERE c.stream_id IN ('S-0', 'S-1') GROUP BY a.stream_id;`;

test('reads by key, states and commands are answered before the first filters, which are slow', async () => {
  await server.append(300, 10);
  assert.is((await server.post('/api/lang/create', { lang })).status, 201);
  const slow = '/api/projections/Triples/query?stream_id[like]=%25-0&order=n';
  const answered: string[] = [];
  const asked = async (name: string, answer: Promise<Response>): Promise<void> => {
    const { status } = await answer;
    answered.push(`${name} ${status}`);
  };
  const bike = { bike_id: 'N-1', model: 'Roadster', price: 1, code: 'c' };
  await Promise.all([
    asked('slow', server.get(slow, json)),
    asked('slow', server.get('/api/projections/Triples/query?n[gt]=1', json)),
    asked('state', server.get('/api/aggregates/Bike/S-0', json)),
    asked('key', server.get('/api/projections/Fleet/query?model=Roadster', json)),
    asked('command', server.post('/api/aggregates/Bike/execute/RegisterBike', bike)),
  ]);
  assert.equal(answered.slice(0, 3).sort(), ['command 200', 'key 200', 'state 200']);
  assert.equal(answered.slice(3), ['slow 200', 'slow 200']);
  assert.equal(
    await (await server.get(slow, json)).json(),
    [{ stream_id: 'S-0', n: 30 * 301 * 60 }],
    'the copy shows the command',
  );
});

test.run();
