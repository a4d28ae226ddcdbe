/**
 * Each row of the table in docs/operation.md#what-an-answer-means: one row of two keys gets the answer, and its row, the next one of its key and the row
 * of the other key are followed while the clock is stopped, and after it.
 */
import type { ServerResponse } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from '../http/sample-server.ts';
import { firstRow } from '../kit/first-row.ts';
import { until } from '../kit/until.ts';
import { startReceiver, type CloudEvent } from './receiver.ts';

const test = suite('what an answer means');
let clock = Date.parse('2026-03-01T00:00:00Z');
const receiver = await startReceiver();
const server = await startSample({
  services: true,
  now: () => clock,
  settings: { push: { allowedHosts: [`127.0.0.1:${receiver.port}`], allowedAddresses: [] } },
  // Every wait is as long as it may be.
  push: { chance: () => 1, environment: { KEY: `whsec_${Buffer.alloc(32).toString('base64')}` } },
});
test.after(async () => {
  await server.stop();
  await receiver.stop();
});

const post = async (path: string, body: object): Promise<void> => {
  const answer = await server.post(path, body);
  assert.ok(answer.status < 300, await answer.clone().text());
};
await post('/api/lang/create', {
  lang: `
CREATE AGGREGATE Shop;
CREATE COMMAND Sell (shop STRING, item STRING);
CREATE EVENT Sold (item STRING);
CREATE DECISION Selling FOR Shop ON COMMAND Sell EMIT AS SELECT EVENT Sold (item := :item);`,
});

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(code, headers).end();
const standing = (name: string): Promise<Record<string, unknown>> =>
  firstRow(`${server.url}/api/subscriptions/${name}`);

interface Case {
  readonly name: string;
  readonly answer: (response: ServerResponse) => void;
  /** Items that arrive while the clock is stopped: `a` gets the answer, `b` has its key, `c` another one. */
  readonly still: string;
  /** Seconds for which nothing is sent, if the endpoint is held. */
  readonly held?: number;
  /** Items in the order in which they arrived once the clock had moved, with the attempt of `a`. */
  readonly all: string;
}

const endpoint = { still: 'a', held: 1, all: 'a c a1 b' };
const row = { still: 'a c', all: 'a c a2 b' };
const cases: readonly Case[] = [
  { name: 'Accepted', answer: status(202), still: 'a b c', all: 'a b c' },
  { name: 'AcceptedLater', answer: status(200, { 'retry-after': '9' }), still: 'a b c', all: 'a b c' },
  { name: 'Moved', answer: status(307, { location: '/' }), ...row },
  { name: 'Unknown', answer: status(404), ...row },
  { name: 'UnknownLater', answer: status(404, { 'retry-after': '9' }), ...row },
  { name: 'Late', answer: status(408), ...endpoint },
  { name: 'Broken', answer: status(500), ...endpoint },
  { name: 'BrokenLater', answer: status(500, { 'retry-after': '9' }), ...endpoint },
  { name: 'Away', answer: status(503), ...endpoint },
  { name: 'AwayLater', answer: status(503, { 'retry-after': '9' }), still: 'a', held: 9, all: 'a a1 b c' },
  { name: 'TooMany', answer: status(429), ...endpoint, all: 'a a1 b c' },
  { name: 'TooManyLater', answer: status(429, { 'retry-after': '9' }), still: 'a', held: 9, all: 'a a1 b c' },
  { name: 'Resets', answer: (response) => response.socket?.resetAndDestroy(), ...endpoint },
  { name: 'Closes', answer: (response) => response.destroy(), ...endpoint },
  { name: 'Stalls', answer: () => undefined, ...endpoint },
];

for (const { name, answer, still, held, all } of cases)
  test(`${name}: ${all}`, async () => {
    const arrived: string[] = [];
    let isFirst = true;
    receiver.answer(`/${name}`, (event, response) => {
      arrived.push(item(event));
      if (isFirst) answer(response);
      else status(204)(response);
      isFirst = false;
    });
    const lang =
      `CREATE SUBSCRIPTION ${name} FROM NOW AS SELECT stream_id AS shop, data.item FROM Reg."Shop$Events" DELIVER TO WEBHOOK ` +
      `'${receiver.url(`/${name}`)}' SECRET ENV('KEY') WITH (keys_at_once = 1, timeout_seconds = 1, first_delay_seconds = 1);`;
    await post('/api/lang/create', { lang });
    for (const [shop, sold] of ['xa', 'xb', 'yc'].entries())
      await post('/api/aggregates/Shop/execute/Sell', { shop: sold[0] ?? String(shop), item: sold[1] ?? '' });
    const wait = held === undefined ? null : new Date(clock + held * 1000).toISOString().replace('Z', '000Z');
    await until(async () => (await standing(name))['held_until'] === wait && arrived.join(' ') === still);
    // The wait is over only with its last millisecond.
    clock += (held ?? 1) * 1000 - 1;
    if (held !== undefined) assert.is((await standing(name))['held_until'], wait);
    assert.is(arrived.join(' '), still);
    clock += 1;
    await until(async () => (await standing(name))['lag_rows'] === 0);
    const { attempts } = (await (await server.get(`/api/subscriptions/${name}/attempts`)).json()) as {
      readonly attempts: readonly { readonly position: number; readonly attempt: number }[];
    };
    const again = attempts.filter(({ position }) => position === attempts[0]?.position)[1];
    const shown = arrived.map((each, at) => (each === 'a' && at > 0 ? `a${again?.attempt}` : each));
    assert.is(shown.join(' '), all);
    await post('/api/lang/create', { lang: lang.replace(/ DELIVER.*/, ';').replace('CREATE', 'CREATE OR REPLACE') });
  });

const item = ({ data }: CloudEvent): string => String(data['item']);

test('410 stops it: no row is sent until it is started', async () => {
  const arrived: string[] = [];
  receiver.answer('/Gone', (event, response) => {
    arrived.push(item(event));
    status(arrived.length === 1 ? 410 : 204)(response);
  });
  const lang = `CREATE SUBSCRIPTION Gone FROM NOW AS SELECT stream_id AS shop, data.item FROM Reg."Shop$Events" DELIVER TO WEBHOOK '${receiver.url('/Gone')}' SECRET ENV('KEY') WITH (keys_at_once = 1);`;
  await post('/api/lang/create', { lang });
  for (const [shop, sold] of ['xa', 'xb', 'yc'].map((each) => [each[0], each[1]]))
    await post('/api/aggregates/Shop/execute/Sell', { shop, item: sold });
  await until(async () => (await standing('Gone'))['state'] === 'stopped');
  clock += 3_600_000;
  assert.equal([arrived, (await standing('Gone'))['lag_rows']], [['a'], 3]);
  await post('/api/subscriptions/Gone/start', {});
  await until(async () => (await standing('Gone'))['lag_rows'] === 0);
  assert.is(arrived.join(' '), 'a a b c');
});

test('a failing endpoint is tried again while a request from before still waits for its answer', async () => {
  const arrived: string[] = [];
  const open: ServerResponse[] = [];
  receiver.answer('/Slow', (event, response) => {
    arrived.push(item(event));
    if (item(event) === 'slow') open.push(response);
    else status(arrived.includes('again') ? 204 : 500)(response);
  });
  const lang = `CREATE SUBSCRIPTION Slow FROM NOW AS SELECT stream_id AS shop, data.item FROM Reg."Shop$Events" DELIVER TO WEBHOOK '${receiver.url('/Slow')}' SECRET ENV('KEY') WITH (keys_at_once = 8, timeout_seconds = 30, first_delay_seconds = 1);`;
  await post('/api/lang/create', { lang });
  await post('/api/aggregates/Shop/execute/Sell', { shop: 'x', item: 'slow' });
  await until(() => open.length === 1);
  await post('/api/aggregates/Shop/execute/Sell', { shop: 'y', item: 'fails' });
  await until(async () => (await standing('Slow'))['held_until'] !== null);
  await post('/api/aggregates/Shop/execute/Sell', { shop: 'z', item: 'again' });
  clock += 1000;
  await until(() => arrived.join(' ') === 'slow fails again fails');
  assert.is(open.length, 1);
  for (const response of open) status(204)(response);
  await until(async () => (await standing('Slow'))['lag_rows'] === 0);
});

test.run();
