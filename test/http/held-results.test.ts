/**
 * A few clients cannot overload a server with results: charges, waits and refusals, and one result for each connection
 * at a time.
 */
import { connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createHeldResults, mostOfResult, type Lease } from '../../server/operation/room/held-results.ts';
import { fail } from '../../language/failure/failure.ts';
import { GivenBack } from '../../runtime/store/store.ts';
import { withinRoom } from '../../server/operation/room/within-room.ts';
import { rawRequest } from './raw-request.ts';
import { startSample } from './sample-server.ts';

const test = suite('held results');
const MiB = 1024 * 1024;
const limits = { resultBytes: 128 * MiB, resultMilliseconds: 60_000, heldBytes: 512 * MiB };
const most = mostOfResult(limits);

/** The answer to a request for room within a moment. */
async function told(asked: Promise<number>): Promise<string | number> {
  const moment = new Promise<string>((resolve) => setTimeout(resolve, 5, 'waits'));
  return Promise.race([asked.then((bytes) => bytes / MiB).catch((error: unknown) => (error as Error).name), moment]);
}

/** A lease for a computed result of this many MiB. */
async function holding(lease: Lease, mebibytes: number): Promise<void> {
  await lease.forText(mebibytes * MiB);
}

test('a result takes a quarter of the budget at most', () => {
  assert.equal(
    [limits, { ...limits, heldBytes: 256 * MiB }, { ...limits, resultBytes: MiB }].map(
      (one) => mostOfResult(one) / MiB,
    ),
    [128, 64, 1],
  );
});

test('a caller holds at most half of the budget; large results leave a reserve for small ones', async () => {
  const held = createHeldResults(limits);
  const [ada, bo, cy] = ['ada', 'bo', 'cy'].map((name) => () => held.open(name, 'GET /rows'));
  await holding(ada!(), 128);
  await holding(ada!(), 96);
  assert.is(await told(ada!().forText(2 * MiB)), 'Busy');
  assert.is(await told(ada!().forText(MiB)), 1);
  await holding(bo!(), 128);
  await holding(bo!(), 96);
  assert.is(await told(cy!().forText(2 * MiB)), 'Busy');
  const small = cy!();
  assert.is(await told(small.forResult(most)), 1);
  assert.is(held.bytes() / MiB, 2 * 224 + 2);
  small.release();
  assert.is(held.bytes() / MiB, 2 * 224 + 2, 'what is being computed stays charged');
  small.holds(0);
  assert.is(held.bytes() / MiB, 2 * 224 + 1);
});

test('a request waits for room that is only reserved, and unused room is free again', async () => {
  const held = createHeldResults(limits);
  const [first, second, third] = [1, 2, 3].map(() => held.open('ada', 'GET /rows')) as [Lease, Lease, Lease];
  assert.is(await told(first.forResult(most)), 128);
  const [secondRoom, thirdRoom] = [second.forResult(most), third.forResult(most)];
  assert.is(await told(secondRoom), 'waits');
  first.holds(10 * MiB);
  assert.is(await told(secondRoom), 128);
  assert.is(await told(thirdRoom), 'waits');
  third.release();
  assert.is(await told(thirdRoom), 'HungUp');
});

test('the read model computes at most two results at once, and every wait has a limit', async () => {
  const held = createHeldResults({ ...limits, resultMilliseconds: 50 });
  const [first, second, third] = [1, 2, 3].map(() => held.open('ada', 'GET /row')) as [Lease, Lease, Lease];
  assert.equal([await first.forPart(MiB), await second.forPart(MiB)], [MiB, MiB]);
  const refused = await third.forPart(MiB).catch((error: unknown) => (error as Error).name);
  assert.is(refused, 'Busy');
});

test('reads of a shape that was quick the last time are computed many at once, until one is not', async () => {
  const held = createHeldResults({ ...limits, resultMilliseconds: 50 });
  const row = { most, expectsSmall: true, shape: 'row by key' };
  let [running, mostRunning] = [0, 0];
  const reads = async (count: number, milliseconds: number): Promise<number> => {
    mostRunning = 0;
    const read = async (lease: Lease): Promise<void> =>
      withinRoom(lease, row, async ({ takes }) => {
        running += 1;
        mostRunning = Math.max(mostRunning, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        takes(100, milliseconds);
      });
    await Promise.all(Array.from({ length: count }, (_, at) => read(held.open(`caller ${at}`, 'GET /row'))));
    return mostRunning;
  };
  assert.equal(
    [await reads(1, 0.1), await reads(100, 0.1), await reads(1, 3), await reads(5, 0.1), await reads(100, 0.1)],
    [1, 64, 1, 2, 64],
  );
  const large = withinRoom(held.open('ada', 'GET /row'), row, async () => {
    throw fail('R0301', { what: 'bytes', limit: String(MiB) });
  });
  await large.catch(() => undefined);
  assert.is(await reads(5, 0.1), 2, 'the shape had a large result');
});

test('a quick read that came behind a slow one is asked as any other; one that fails makes its shape unknown', async () => {
  const held = createHeldResults({ ...limits, resultMilliseconds: 50 });
  const row = { most, expectsSmall: true, shape: 'row by key' };
  const tries = async (error: Error | undefined): Promise<readonly unknown[]> => {
    const asked: unknown[] = [];
    const read = withinRoom(held.open('ada', 'GET /row'), row, async ({ quick, bytes, takes }) => {
      asked.push(quick === true ? 'quick' : bytes / MiB);
      if (error !== undefined && asked.length === 1) throw error;
      takes(100, 0.1);
    });
    const ended = await read.then(String, (thrown: unknown) => (thrown as Error).constructor.name);
    return [...asked, ended];
  };
  const past = fail('R0301', { what: 'bytes', limit: String(MiB) });
  assert.equal(
    [
      await tries(undefined),
      await tries(new GivenBack()),
      await tries(undefined),
      await tries(fail('R0301', { what: 'time', limit: '50 ms' })),
      await tries(undefined),
      await tries(past),
      await tries(undefined),
    ],
    [
      [1, 'undefined'],
      ['quick', 1, 'undefined'],
      ['quick', 'undefined'],
      ['quick', 'Failure'],
      [1, 'undefined'],
      ['quick', 128, 'undefined'],
      [1, 'undefined'],
    ],
  );
  assert.is(held.bytes(), 600);
});

test('a search that takes long is begun again on the copy, where further ones of its relation begin', async () => {
  const held = createHeldResults(limits);
  const asked: unknown[] = [];
  const read = (relation: string, shape: string): Promise<void> =>
    withinRoom(held.open('ada', 'GET /row'), { most, expectsSmall: true, shape, searched: relation }, async (room) => {
      asked.push([shape, room.answeredBy ?? `within ${room.patience}`, held.bytes() / MiB]);
      if (shape === 'like' && room.answeredBy === undefined) throw new GivenBack();
      room.takes(0, 0.1);
    });
  await read('Fleet', 'by key');
  await read('Fleet', 'like');
  await read('Fleet', 'by key');
  await read('Fleet', 'by price');
  await read('Other', 'by price');
  assert.equal(asked, [
    ['by key', 'within 50', 1],
    ['like', 'within 50', 1],
    ['like', 'copy', 128],
    ['by key', 'within 50', 1],
    ['by price', 'copy', 128],
    ['by price', 'within 50', 1],
  ]);
});

test('a route with large results is not given the reserve for small ones', async () => {
  const held = createHeldResults(limits);
  const ask = (): Promise<number> => held.open('ada', 'GET /large').forResult(most);
  for (const mebibytes of [90, 90]) {
    const lease = held.open('ada', 'GET /large');
    await lease.forResult(most);
    lease.holds(mebibytes * MiB);
  }
  assert.is(await told(ask()), 'Busy');
  assert.is(await told(held.open('ada', 'GET /other').forResult(most)), 1);
});

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n`;

test('pipelined requests are answered in order, and a malformed one after them last', async () => {
  const server = await startSample();
  const paths = Array.from({ length: 300 }, (_, at) => `/none/${at}`);
  const answers = await rawRequest(server.port, paths.map(get).join(''), get('/health'), 'no request\r\n\r\n');
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
  assert.equal(statuses, [...paths.map(() => 404), 200, 400]);
  const order = server.lines.flatMap((line) => (String(line['path']).startsWith('/none/') ? [line['path']] : []));
  assert.equal(order, paths);
  await server.stop();
});

test('a client that reads nothing holds one result for each connection, and small results are still served', async () => {
  const server = await startSample({ limits: { heldBytes: 32 * MiB, stallMilliseconds: 2_000 } });
  await server.append(60, 100_000, 60);
  const held = async (): Promise<number> =>
    Number(/^schemac_http_held_bytes (\d+)/m.exec(await (await server.get('/metrics')).text())?.[1]) / MiB;
  const sockets = [1, 2, 3, 4].map(() => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(get('/api/aggregates/Bike').repeat(50));
    return socket.pause();
  });
  const refused = await until(async () => {
    const answer = await server.get('/api/aggregates/Bike', { Accept: 'application/json' });
    await answer.arrayBuffer();
    return answer.status === 503 ? answer : undefined;
  });
  assert.is(refused.headers.get('Retry-After'), '1');
  assert.ok((await held()) <= 32, String(await held()));
  assert.is((await server.get('/api/aggregates/Bike/S-3')).status, 200);
  for (const socket of sockets) socket.destroy();
  await until(async () => ((await held()) === 0 ? true : undefined));
  assert.not.ok(server.lines.some((line) => line['message'] === 'request failed'));
  await server.stop();
});

test('a client that hangs up during its body is logged as 499, not as an error', async () => {
  const server = await startSample();
  const socket = connect(server.port, '127.0.0.1');
  const path = '/api/aggregates/Bike/execute/RentBike';
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
  );
  await until(async () =>
    Promise.resolve(/under_way 2$/m.test(await (await server.get('/metrics')).text()) || undefined),
  );
  socket.destroy();
  const line = await until(() => Promise.resolve(server.lines.find((each) => each['path'] === path)));
  assert.equal({ status: line['status'], cut: line['cut'] }, { status: 499, cut: true });
  assert.not.ok(server.lines.some((each) => each['err'] !== undefined));
  await server.stop();
});

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 400; tries++) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('what was waited for did not come');
}

test.run();
