import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reply, Request } from '../../runtime/store/read-model/thread/messages.ts';
import { until } from '../kit/until.ts';
import { openWorkerPort } from '../../runtime/store/read-model/thread/port.ts';

// The process would end before the test does, because nothing else keeps it.
test('ending a thread keeps the process alive until the thread has ended, without waiting replies', async () => {
  const deaths: Error[] = [];
  const port = await openWorkerPort('5ec7e7', { onReply: () => undefined, onDeath: (error) => deaths.push(error) });
  port.hold(true);
  const ended = port.end();
  port.hold(false);
  await ended;
  assert.equal(deaths, []);
});

function query(id: number, upTo: number, quick: boolean): Request {
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${upTo})`;
  return {
    do: 'query',
    id,
    form: 'rows',
    query: { sql: `${numbers} SELECT COUNT(*) FROM n`, parameters: [], columns: [{ type: { kind: 'BIGINT' } }] },
    parameters: [],
    limits: { quick },
    instant: 0n,
  };
}

const manyRows = 2_000_000;

test('answers of quick queries come together, and never wait for one that may take long', async () => {
  const answered: number[] = [];
  const onReply = (reply: Reply): void => {
    if (reply.reply !== 'done') throw new Error(`an unexpected reply: ${JSON.stringify(reply)}`);
    answered.push(reply.id);
  };
  const port = await openWorkerPort('5ec7e7', { onReply, onDeath: () => undefined });
  port.hold(true);
  for (const request of [query(1, 1, true), query(2, 1, true), query(3, manyRows, false), query(4, 1, true)])
    port.post(request);
  await until(() => answered.length > 0);
  const first = [...answered];
  await until(() => port.running()?.id === 3);
  await until(() => answered.length === 4);
  assert.equal([first, answered, port.running()], [[1, 2], [1, 2, 3, 4], undefined]);
  await port.end();
});

test('the answer of a query that may take long does not wait for those behind it', async () => {
  const messages: number[][] = [];
  let isFirst = true;
  const onReply = (reply: Reply): void => {
    if (reply.reply !== 'done') throw new Error(`an unexpected reply: ${JSON.stringify(reply)}`);
    if (isFirst) messages.push([]);
    isFirst = false;
    queueMicrotask(() => (isFirst = true)); // before the next message
    messages.at(-1)?.push(reply.id);
  };
  const port = await openWorkerPort('5ec7e7', { onReply, onDeath: () => undefined });
  port.hold(true);
  for (const request of [query(1, 1, true), query(2, 1, false), query(3, 1, true), query(4, 1, true)])
    port.post(request);
  await until(() => messages.flat().length === 4);
  assert.equal(
    messages.filter(({ length }) => length > 0),
    [[1], [2], [3, 4]],
  );
  await port.end();
});

test('a request that cannot be sent fails alone', async () => {
  const told: string[] = [];
  const onReply = (reply: Reply): void => {
    if (reply.reply === 'done') told.push(`${reply.id} done`);
    else if (reply.reply === 'failed') told.push(`${reply.id} ${reply.message}`);
  };
  const port = await openWorkerPort('5ec7e7', { onReply, onDeath: () => undefined });
  port.hold(true);
  const unsendable = { ...query(2, 1, true), parameters: [Symbol('none')] } as unknown as Request;
  for (const request of [query(1, 1, true), unsendable, query(3, 1, true)]) port.post(request);
  await until(() => told.length === 3);
  assert.equal(told, ['2 Symbol(none) could not be cloned.', '1 done', '3 done']);
  await port.end();
});

test('a slow query that was asked as a quick one gives back those behind it, and no later ones', async () => {
  const answered: [string, number][] = [];
  const onReply = (reply: Reply): void => {
    if (!('id' in reply)) throw new Error(`an unexpected reply: ${JSON.stringify(reply)}`);
    answered.push([reply.reply, reply.id]);
  };
  const port = await openWorkerPort('5ec7e7', { onReply, onDeath: () => undefined });
  port.hold(true);
  const post = (id: number, upTo: number, quick: boolean): void =>
    port.post({ ...query(id, upTo, quick), slow: port.slow() } as Request);
  post(1, manyRows, true);
  post(2, 1, true);
  await until(() => port.running()?.id === 1);
  post(3, 1, true);
  post(4, 1, false);
  await until(() => answered.length === 4);
  post(5, 1, true);
  await until(() => answered.length === 5);
  assert.equal(answered, [
    ['done', 1],
    ['given back', 2],
    ['given back', 3],
    ['done', 4],
    ['done', 5],
  ]);
  await port.end();
});

test.run();
