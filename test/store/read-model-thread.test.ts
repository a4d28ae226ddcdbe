import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Reply, Request } from '../../runtime/store/tables/core/messages.ts';
import { until } from '../kit/until.ts';
import { Failure } from '../../language/failure/failure.ts';
import { createConversation, PortDied } from '../../runtime/store/tables/thread/conversation.ts';
import { openWorkerPort, type Port, type PortListener } from '../../runtime/store/tables/thread/port.ts';

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

const manyRows = 500_000;

interface Opened {
  readonly post: (...requests: readonly Request[]) => void;
  /** Messages that came together, as texts like `1 done`. */
  readonly messages: readonly (readonly string[])[];
  readonly port: Port;
}

async function opened(): Promise<Opened> {
  const messages: string[][] = [];
  let isFirst = true;
  const onReply = (reply: Reply): void => {
    if (!('id' in reply)) throw new Error(`an unexpected reply: ${JSON.stringify(reply)}`);
    if (isFirst) messages.push([]);
    isFirst = false;
    queueMicrotask(() => (isFirst = true)); // before the next message
    messages.at(-1)?.push(`${reply.id} ${reply.reply === 'failed' ? reply.message : reply.reply}`);
  };
  const port = await openWorkerPort('5ec7e7', { onReply, onDeath: () => undefined });
  port.hold(true);
  return { port, messages, post: (...requests) => requests.forEach(port.post) };
}

test('answers of quick queries come together; that of one that may take long comes alone, and none waits for it', async () => {
  const { post, port, messages } = await opened();
  post(query(1, 1, true), query(2, 1, true), query(3, manyRows, false), query(4, 1, true), query(5, 1, true));
  const seen = new Set<number>();
  await until(() => {
    const id = port.running()?.id;
    if (id !== undefined) seen.add(id);
    return messages.flat().length === 5;
  });
  assert.equal(messages, [['1 done', '2 done'], ['3 done'], ['4 done', '5 done']]);
  assert.ok([...seen].every((id) => id >= 1 && id <= 5)); // on a machine that is very busy none is seen
  assert.is(port.running(), undefined);
  await port.end();
});

test('a request that cannot be sent fails alone', async () => {
  const { post, port, messages } = await opened();
  const unsendable = { ...query(2, 1, true), parameters: [Symbol('none')] } as unknown as Request;
  post(query(1, 1, true), unsendable, query(3, 1, true));
  await until(() => messages.flat().length === 3);
  assert.equal(messages.flat(), ['2 Symbol(none) could not be cloned.', '1 done', '3 done']);
  await port.end();
});

test('a slow query that was asked as a quick one gives back those sent before its end, and no later ones', async () => {
  const { post, port, messages } = await opened();
  const sent = (request: Request): Request => ({ ...request, slow: port.slow() }) as Request;
  post(...[query(1, manyRows, true), query(2, 1, true), query(3, 1, false), query(4, 1, true)].map(sent));
  await until(() => messages.flat().length === 4);
  post(sent(query(5, 1, true)));
  await until(() => messages.flat().length === 5);
  assert.equal(messages, [['1 done', '2 given back'], ['3 done'], ['4 given back'], ['5 done']]);
  await port.end();
});

for (const [running, first, second] of [
  [undefined, 'may be the cause', 'may be the cause'],
  [1, 'over its memory', 'innocent'],
] as const)
  test(`a thread without memory, while ${running === undefined ? 'no query' : 'the first query'} runs`, async () => {
    let die: PortListener['onDeath'] = () => undefined;
    const none = (): Promise<void> => Promise.resolve();
    const talk = await createConversation(
      async ({ onDeath }) => {
        die = onDeath;
        const now = running === undefined ? undefined : { id: running, milliseconds: 1 };
        return {
          post: () => undefined,
          running: () => now,
          stop: () => undefined,
          slow: () => 0,
          end: none,
          close: none,
          hold: () => undefined,
        };
      },
      { onApplied: () => undefined, onSettled: () => undefined, onDeath: () => undefined },
    );
    const told = async (asked: Promise<unknown>): Promise<string> => {
      const error: unknown = await asked.catch((thrown: unknown) => thrown);
      if (error instanceof PortDied) return error.innocent ? 'innocent' : 'may be the cause';
      return error instanceof Failure && error.code === 'R0301' ? 'over its memory' : String(error);
    };
    const { id: _, ...question } = query(1, 1, false) as Extract<Request, { do: 'query' }>;
    const asked = [1, 2].map(() => told(talk.query({ ...question, limits: { memory: 1 } })));
    die(Object.assign(new Error('no memory'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }));
    assert.equal(await Promise.all(asked), [first, second]);
  });

test('a query that is to stop does so between its rows, and the thread goes on', async () => {
  const { post, port, messages } = await opened();
  const numbers = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';
  const { query: of, ...asked } = query(1, 1, false) as Extract<Request, { do: 'query' }>;
  post(
    { ...asked, query: { ...of, sql: `${numbers} SELECT LENGTH(HEX(ZEROBLOB(100000 + i % 9))) FROM n` } },
    query(2, 1, false),
  );
  await until(() => port.running()?.id === 1);
  port.stop(1);
  await until(() => messages.flat().includes('2 done'));
  const answers = messages.flat().filter((message) => message !== '1 rows');
  assert.equal(answers, ['1 the statement was stopped', '2 done']);
  await port.end();
});

test('a query that no caller waits for is asked to stop, and its thread is not ended when it does', async () => {
  const told: string[] = [];
  let running: number | undefined = 1;
  let reply: (one: Reply) => void = () => undefined;
  const ends = async (how: string): Promise<void> => void told.push(how);
  const talk = await createConversation(
    async ({ onReply }) => {
      reply = onReply;
      return {
        post: (request) => {
          if ('id' in request && request.id === 2) reply({ reply: 'done', id: 2, result: 'an answer' });
        },
        running: () => (running === undefined ? undefined : { id: running, milliseconds: 1 }),
        stop: (id) => {
          told.push(`stop ${id}`);
          running = undefined;
          reply({ reply: 'failed', id, code: 'R0303', message: 'stopped' });
        },
        slow: () => 0,
        end: () => ends('end'),
        close: () => ends('close'),
        hold: () => undefined,
      };
    },
    { onApplied: () => undefined, onSettled: () => undefined, onDeath: (reason) => void told.push(reason) },
  );
  const { id: _, ...question } = query(1, 1, false) as Extract<Request, { do: 'query' }>;
  const leaving = new AbortController();
  const asked = talk.query(question, leaving.signal).catch((error: unknown) => error);
  leaving.abort();
  assert.is(((await asked) as Failure).code, 'R0303');
  assert.is(await talk.ask({ do: 'snapshot' }), 'an answer');
  await talk.end();
  assert.equal(told, ['stop 1', 'it was closed', 'close']);
});

test.run();
