/** HTTP of several servers on one log: events written on one are read on another. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { sampleOver } from '../http/sample-engine.ts';
import { startSample } from '../http/sample-server.ts';
import { severalEngines, type Server } from './several-engines.ts';
import { calm } from './shaky-journal.ts';

const schema = `
CREATE AGGREGATE Purse (purse_id STRING KEY, balance INT DEFAULT 0 AS SUM(data.amount));
CREATE COMMAND Fill (purse_id STRING, amount INT);
CREATE EVENT Filled (amount INT);
CREATE DECISION DoFill FOR Purse ON COMMAND Fill EMIT AS SELECT EVENT Filled (amount := :amount) WHERE :amount > 0;
`;

type Sample = Awaited<ReturnType<typeof startSample>>;

async function serve(
  { engine, services }: Server,
  read?: { consistency: 'latest' | 'local'; maxLagMilliseconds: number },
): Promise<Sample> {
  const again = sampleOver(engine, services);
  return startSample({ again, services: true, ...(read && { settings: { read } }) });
}

async function two(): Promise<{
  servers: readonly [Server, Server];
  one: Sample;
  other: Sample;
  close: () => Promise<void>;
}> {
  const { add, close } = await severalEngines(schema, () => 0.5);
  const servers = [await add('first'), await add()] as const;
  const [one, other] = [await serve(servers[0]), await serve(servers[1])];
  return {
    servers,
    one,
    other,
    close: async () => {
      await Promise.all([one.stop(), other.stop()]);
      await close();
    },
  };
}

const fill = ({ post }: Sample, amount: number, headers: Record<string, string> = {}): Promise<Response> =>
  post('/api/aggregates/Purse/execute/Fill', { purse_id: 'a', amount }, headers);
const path = '/api/aggregates/Purse/a';
const balance = async (answer: Response): Promise<unknown> =>
  ((await answer.json()) as readonly { balance: number }[])[0]?.balance;
const json = { Accept: 'application/json' };

test('a read shows what another server has acknowledged, and both name store and entry', async () => {
  const { one, other, close } = await two();
  const written = await fill(one, 5);
  assert.is(written.headers.get('Schemac-Entry'), '2');
  const read = await other.get(path, json);
  assert.is(await balance(read), 5);
  assert.equal(
    [read.headers.get('Schemac-Entry'), read.headers.get('Schemac-Store')],
    ['2', written.headers.get('Schemac-Store')],
  );
  const rejected = await fill(other, 0);
  assert.equal([rejected.status, rejected.headers.get('Schemac-Entry')], [200, '2']);
  const unknown = await other.get('/api/aggregates/Purse/nobody', json);
  assert.equal([unknown.status, unknown.headers.get('Schemac-Entry')], [404, '2']);
  await close();
});

test("a copy of one server's answer is valid on the other, until another entry is written", async () => {
  const { one, other, close } = await two();
  await fill(one, 5);
  for (const read of [path, '/api/aggregates/Purse', '/api/reg/commands']) {
    const tag = (await one.get(read, json)).headers.get('ETag') ?? '';
    const again = await other.get(read, { ...json, 'If-None-Match': tag });
    assert.equal([read, again.status], [read, 304]);
    const local = await other.get('/api/aggregates/Purse', {
      ...json,
      'Schemac-Consistency': 'local',
      'If-None-Match': tag,
    });
    assert.is(local.status, 200);
  }
  const tag = (await one.get(path, json)).headers.get('ETag') ?? '';
  assert.is((await fill(other, 5, { 'If-Match': tag })).status, 200);
  assert.is((await one.get(path, { ...json, 'If-None-Match': tag })).status, 200);
  assert.is((await fill(one, 5, { 'If-Match': tag })).status, 412);
  await close();
});

test('a local read is answered without the log, and refused when it is too old', async () => {
  const { servers, one, other, close } = await two();
  await fill(one, 5);
  await other.get(path, json);
  servers[1].journal.goAway();
  const local = { ...json, 'Schemac-Consistency': 'local' };
  assert.is(await balance(await other.get(path, local)), 5);
  const latest = await other.get(path, json);
  assert.equal([latest.status, latest.headers.get('Retry-After')], [503, '1']);
  const strict = await serve(servers[1], { consistency: 'local', maxLagMilliseconds: 0 });
  assert.is((await strict.get(path, json)).status, 503);
  // These routes are about the server: an orchestrator that restarts servers that are not alive restarts none because of the log.
  const statuses: [string, number][] = [];
  for (const own of ['/health', '/info', '/metrics', '/openapi.json', '/', '/ready'])
    statuses.push([own, (await strict.get(own, own === '/' ? { Accept: 'text/html' } : json)).status]);
  assert.equal(statuses, [
    ['/health', 200],
    ['/info', 200],
    ['/metrics', 200],
    ['/openapi.json', 200],
    ['/', 200],
    ['/ready', 503],
  ]);
  assert.is((await strict.get('/', json)).status, 404);
  servers[1].journal.comeBack();
  assert.is(await balance(await strict.get(path, json)), 5);
  await strict.stop();
  await close();
});

test('a request for an entry waits for it, and says which entries there are when it does not come', async () => {
  const { one, other, close } = await two();
  const late = other.get(path, { ...json, 'Schemac-Consistency': 'local', 'Schemac-Min-Entry': '3' });
  await fill(one, 5);
  await fill(one, 5);
  assert.is(await balance(await late), 10);
  const never = await other.get(path, { ...json, 'Schemac-Min-Entry': '9' });
  assert.equal([never.status, await never.json()], [503, { error: 'this server has entries up to 3 so far' }]);
  for (const [header, value] of [
    ['Schemac-Min-Entry', '-1'],
    ['Schemac-Min-Entry', '1.5'],
    ['Schemac-Consistency', 'eventual'],
  ] as const)
    assert.equal([value, (await other.get(path, { ...json, [header]: value })).status], [value, 400]);
  await close();
});

test('many reads at the same time share questions to the log', async () => {
  const { servers, one, other, close } = await two();
  await fill(one, 5);
  await other.get(path, json);
  servers[1].journal.shake({ ...calm, delay: 150 });
  const before = servers[1].journal.asked.fresh;
  await Promise.all(Array.from({ length: 30 }, () => other.get(path, json)));
  const asked = servers[1].journal.asked.fresh - before;
  assert.ok(asked <= 8, `${asked} questions`);
  await close();
});

test('metrics count how often a server was overtaken, took the lock, and how old its entries are', async () => {
  const { one, other, close } = await two();
  await fill(one, 5);
  // This server does not know of it yet when it decides.
  await fill(other, 5);
  const counts = async (app: typeof one): Promise<Record<string, number>> =>
    Object.fromEntries(
      [...(await (await app.get('/metrics')).text()).matchAll(/^(schemac_log_\w+) (\S+)$/gm)].map(([, name, value]) => [
        name,
        Number(value),
      ]),
    );
  const [mine, theirs] = [await counts(one), await counts(other)];
  assert.equal(Object.keys(theirs), [
    'schemac_log_entries',
    'schemac_log_round_trips_total',
    'schemac_log_overtaken_total',
    'schemac_log_locks_total',
    'schemac_log_lock_wait_seconds_total',
    'schemac_log_lag_entries',
    'schemac_log_lag_seconds',
  ]);
  assert.is(mine['schemac_log_overtaken_total'], 0);
  assert.ok((theirs['schemac_log_lag_seconds'] ?? -1) >= 0);
  assert.is(theirs['schemac_log_lag_entries'], 0);
  await close();
});

test('a command that was just posted to another server is found, one that does not exist is 404', async () => {
  const { one, other, close } = await two();
  const text =
    'CREATE COMMAND Empty (purse_id STRING); CREATE EVENT Emptied (); CREATE DECISION DoEmpty FOR Purse ON COMMAND Empty EMIT AS SELECT EVENT Emptied ();';
  assert.is((await one.post('/api/lang/create', { lang: text })).status, 201);
  assert.is((await other.post('/api/aggregates/Purse/execute/Empty', { purse_id: 'a' })).status, 200);
  assert.is((await other.post('/api/aggregates/Purse/execute/Nothing', { purse_id: 'a' })).status, 404);
  const [mine, theirs] = await Promise.all([one.get('/info'), other.get('/info')]);
  assert.equal(await theirs.json(), await mine.json());
  await close();
});

test.run();
