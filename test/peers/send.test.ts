/** Sends a request to each receiver that behaves badly: checks how it ends, and that nothing stays open (docs/operation.md#webhooks). */
import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAllowList } from '../../runtime/delivery/webhook/allow-list.ts';
import { createSend, type Sent } from '../../runtime/delivery/webhook/send.ts';
import { createSockets } from '../../runtime/delivery/webhook/sockets.ts';
import { exchange } from '../../runtime/outgoing/exchange.ts';
import { within } from '../../runtime/outgoing/within.ts';
import { collectGarbage } from './collect-garbage.ts';
import { receivers } from './receivers.ts';
import { startReceivers } from './start-receivers.ts';

const test = suite('requests to receivers that behave badly');
const { port, stop } = await startReceivers();
const stopCollecting = collectGarbage();
test.after(() => {
  stopCollecting();
  stop();
});

const loopback = createAllowList({ allowedHosts: [], allowedAddresses: [], loopback: true });
const send = createSend(loopback, () => Promise.resolve(['127.0.0.1']));
const post = (url: string, timeoutSeconds: number): Promise<Sent> =>
  send({ url: new URL(url), headers: {}, body: Buffer.from('{}'), timeoutSeconds, signals: [] });

/** The connections of this process. */
const connections = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap' || kind === 'TCPWrap').length;

/** The status of an answer, a reason that is ours, or only that it failed: the words of other failures are those of Node. */
function endOf(sent: Sent): string {
  if (sent.is === 'answered') return String(sent.status);
  return [late, hints].find((reason) => reason === sent.reason) ?? sent.is;
}
const late = 'no answer within 1 s';
const hints = 'more than 8 answers before the final one';
const ends: Readonly<Record<string, string>> = {
  answers: '200',
  'endless-body': '200',
  'body-that-never-ends': '200',
  'trickled-body': '200',
  'kept-alive': '200',
  'too-long-body': '200',
  'too-short-body': '200',
  'chunk-extensions': '200',
  'endless-trailers': '200',
  'redirects-to-itself': '307',
  'answers-twice': '200',
  silent: late,
  'endless-head': 'failed',
  'giant-header': 'failed',
  'trickled-head': late,
  'informational-flood': hints,
  'trickled-hints': hints,
  'continue-flood': hints,
  'switches-protocols': 'failed',
  resets: 'failed',
  'half-closes': 'failed',
  garbage: 'failed',
  'other-protocol': 'failed',
};

test('each ends, also while all garbage is collected, and leaves no connection', async () => {
  const before = connections();
  const found = await Promise.all(
    Object.keys(receivers).map(async (path) => {
      const seconds = ends[path] === late ? 1 : 60;
      return [path, endOf(await post(`http://127.0.0.1:${port}/${path}`, seconds))] as const;
    }),
  );
  assert.is(connections(), before);
  assert.equal(Object.fromEntries(found), ends);
});

test('a receiver that never shakes hands for TLS is given up, and so is one that speaks no TLS', async () => {
  const found = await Promise.all(
    ['silent', 'garbage'].map(async (path) => endOf(await post(`https://localhost:${port}/${path}`, 1))),
  );
  assert.equal(found, [late, late]);
});

test('an answer that is wanted whole has as many bytes as it may have, or is refused', async () => {
  const bodyOf = (path: string, mostBytes: number): Promise<string> =>
    within([], path === 'trickled-body' ? 500 : 60_000, (signal) =>
      exchange({ url: new URL(`http://127.0.0.1:${port}/${path}`), method: 'GET', headers: {}, signal, mostBytes }),
    ).then(
      ({ body }) => Buffer.from(body).toString(),
      (error: unknown) => (error instanceof Error && error.name !== 'AbortError' ? error.message : 'cut'),
    );
  const most = 100_000;
  const more = `the answer has more than ${most} bytes`;
  assert.equal(await Promise.all(['answers', 'endless-body', 'trickled-body'].map((path) => bodyOf(path, most))), [
    '{}',
    more,
    'cut',
  ]);
  assert.equal(await Promise.all([1, 2].map((bytes) => bodyOf('answers', bytes))), [
    'the answer has more than 1 bytes',
    '{}',
  ]);
});

test('a signal ends with the first of others or with its time, also when nothing else holds it', async () => {
  const waits = (signal: AbortSignal): Promise<string> =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve('ended')));
  const control = new AbortController();
  const works = [
    within([], 300, waits),
    within([control.signal], undefined, waits),
    within([control.signal], 0, waits),
  ];
  assert.is(await works[2], 'ended');
  control.abort();
  assert.equal(await Promise.all(works), ['ended', 'ended', 'ended']);
  assert.is(await within([control.signal], undefined, async ({ aborted }) => aborted), true);
  assert.is(await within([], 60_000, async ({ aborted }) => aborted), false);
  const failed = within([], 60_000, () => Promise.reject(new Error('work')));
  assert.is(await failed.catch((error: unknown) => (error as Error).message), 'work');
});

test('webhooks share their connections: none holds more than are left, and each gets its first', async () => {
  const sockets = createSockets(8);
  const taken = new Map<string, (() => void)[]>();
  const take = async (webhook: string): Promise<void> => {
    const place = await sockets.take(webhook, []);
    if (place !== undefined) taken.set(webhook, [...(taken.get(webhook) ?? []), place]);
  };
  const counts = (): string => [...taken].map(([webhook, places]) => `${webhook}${places.length}`).join(' ');
  for (const webhook of ['a', 'b', 'c']) for (let row = 0; row < 5; row++) void take(webhook);
  await turn();
  assert.is(counts(), 'a4 b2 c1');
  // A place given back twice is one place; it goes to those that hold the fewest.
  const [first] = taken.get('a') ?? [];
  first?.();
  first?.();
  await turn();
  assert.is(counts(), 'a4 b2 c2');
  // At the abort nothing is waited for.
  const gone = new AbortController();
  const waiting = sockets.take('a', [gone.signal]);
  gone.abort();
  assert.equal([await waiting, await sockets.take('a', [gone.signal])], [undefined, undefined]);
});

test.run();
