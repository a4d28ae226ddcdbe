/** Requests and commands of one caller in a second (docs/http.md#rates). */
import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCallerRate } from '../../server/http/guard/caller-rate.ts';
import { paced } from '../../server/http/guard/rates.ts';
import { anyone } from '../../server/operation/caller.ts';
import { HungUp } from '../../server/operation/room/busy.ts';
import { startSample } from './sample-server.ts';

const test = suite('rates');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const as = (token: string) => ({ Authorization: `Bearer ${token}` });
/** Two tokens of ada, and one of bob. */
const auth = {
  tokens: [
    { sha256: sha256('ada-1'), subject: 'ada', roles: ['all'] },
    { sha256: sha256('ada-2'), subject: 'ada', roles: ['all'] },
    { sha256: sha256('bob'), subject: 'bob', roles: ['all'] },
  ],
  anonymous: { roles: ['all'] },
  roles: { all: ['read:*', 'execute:*', 'read:meta_*'] },
};

test('an account is used up, fills again with time, and is forgotten when too many others came', () => {
  let now = 0;
  const rate = createCallerRate(3, 2, () => now);
  const take = (much = 1): number | undefined => rate.take('ada', much);
  const seen = [take(2), take(2), take(), take(), rate.take('bob', 4)];
  now += 250;
  seen.push(take());
  now += 250;
  seen.push(take(), take());
  now += 60_000;
  seen.push(take(3), take(3), rate.takeSome('ada', 5));
  now += 1_250;
  seen.push(rate.takeSome('ada', 5), rate.takeSome('ada', 5));
  assert.equal(seen, [undefined, 1, undefined, 1, 1, 1, undefined, 1, undefined, 2, 0, 2, 0]);
  for (let other = 0; other < 10_000; other++) rate.take(`other ${other}`, 1);
  assert.is(take(3), undefined);
});

test('a caller with too many requests is refused, by its subject, and others are not', async () => {
  let now = 0;
  const limits = { requestsOfCaller: 3 };
  const server = await startSample({ settings: { auth }, limits, monotonic: () => now });
  const ask = async (path: string, headers: Record<string, string> = {}): Promise<readonly unknown[]> => {
    const answer = await server.get(path, headers);
    await answer.text();
    return [answer.status, answer.headers.get('retry-after')];
  };
  const fleet = '/api/projections/Fleet/query';
  const seen: (readonly unknown[])[] = [];
  for (const token of ['ada-1', 'ada-2', 'ada-1', 'ada-2', 'bob']) seen.push(await ask(fleet, as(token)));
  seen.push(await ask('/nope', as('ada-1')), await ask(fleet, as('wrong')), await ask('/health'));
  for (let sent = 0; sent < 4; sent++) seen.push(await ask(fleet));
  now += 400;
  seen.push(await ask(fleet, as('ada-1')), await ask(fleet, as('ada-1')));
  assert.equal(seen, [
    [200, null],
    [200, null],
    [200, null],
    [429, '1'],
    [200, null],
    [429, '1'],
    [401, null],
    [200, null],
    [200, null],
    [200, null],
    [200, null],
    [429, '1'],
    [200, null],
    [429, '1'],
  ]);
  const refused = await server.get(fleet, { ...as('ada-1'), Accept: 'application/problem+json' });
  assert.equal(await refused.json(), {
    type: 'urn:schemac:H4292',
    title: 'caller over its rate',
    status: 429,
    detail: 'a caller may send 3 requests a second here; try again in 1 s',
    code: 'H4292',
    errors: [],
  });
  await server.stop();
});

test('a caller with too many commands is refused, and may read', async () => {
  const limits = { commandsOfCaller: 2 };
  const server = await startSample({ settings: { auth }, limits, monotonic: () => 0 });
  const rent = '/api/aggregates/Bike/execute/RentBike';
  const statuses: number[] = [];
  for (const body of [{ bike_id: 'B', rider: 'x' }, {}, { bike_id: 'B', rider: 'x' }])
    statuses.push((await server.post(rent, body, as('ada-1'))).status);
  statuses.push((await server.get('/api/aggregates/Bike/state', as('ada-1'))).status);
  statuses.push((await server.post(rent, { bike_id: 'B', rider: 'x' }, as('bob'))).status);
  assert.equal(statuses, [200, 400, 429, 200, 200]);
  const documented = (await (
    await server.get('/openapi.json', { ...as('ada-1'), Accept: 'application/json' })
  ).json()) as { readonly paths: Record<string, Record<string, { readonly responses: object }>> };
  const limited = Object.entries(documented.paths).flatMap(([path, operations]) =>
    Object.values(operations).some(({ responses }) => '429' in responses) ? [path.split('/').at(-2)] : [],
  );
  assert.equal(new Set(limited), new Set(['execute']));
  await server.stop();
});

test('a request whose client is gone waits for no rate', async () => {
  const rate = createCallerRate(1, 1, () => 0);
  const ended = new AbortController();
  let reads = 0;
  const next = paced(() => Promise.resolve([++reads, ++reads]), rate, {
    caller: anyone,
    lease: { released: ended.signal },
  });
  assert.equal(await next(), [1]);
  const waiting = next();
  ended.abort();
  const why = await waiting.catch((error: unknown) => error);
  assert.instance(why, HungUp);
  assert.is(reads, 2);
});

test('lines of one request are read as slowly as the rate allows, and all are answered', async () => {
  let now = 0;
  const limits = { commandsOfCaller: 100 };
  const server = await startSample({ settings: { auth }, limits, monotonic: () => now });
  const lines = Array.from({ length: 250 }, (_, at) => JSON.stringify({ bike_id: `B-${at}`, model: 'R', price: 1 }));
  const type = 'application/x-ndjson';
  const sent = httpRequest(`${server.url}/api/aggregates/Bike/execute/RegisterBike`, {
    method: 'POST',
    headers: { ...as('ada-1'), 'Content-Type': type, Accept: type },
  });
  let text = '';
  const ended = new Promise((resolve, reject) => {
    sent.on('error', reject).on('response', (answer) => {
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.on('end', resolve).on('error', reject);
    });
  });
  sent.end(lines.join('\n'));
  const rows = (): number => text.split('"success"').length - 1;
  const reached = async (count: number): Promise<void> => {
    const late = AbortSignal.timeout(20_000);
    while (rows() < count) {
      if (late.aborted) throw new Error(`${rows()} rows: ${text}`);
      await wait(5);
    }
    await wait(50);
  };
  const seen: number[] = [];
  await reached(100);
  seen.push(rows());
  // A single command of the same caller finds nothing left.
  seen.push((await server.post('/api/aggregates/Bike/execute/RentBike', {}, as('ada-2'))).status);
  now += 500;
  await reached(150);
  seen.push(rows());
  now += 1_000;
  await reached(250);
  await ended;
  seen.push(rows());
  assert.equal(seen, [100, 429, 150, 250]);
  await server.stop();
});

test.run();
