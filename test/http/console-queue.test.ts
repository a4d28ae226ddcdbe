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

test.run();
