/** Rows sent to a receiver that answers, fails, stalls, lies and resets (docs/operation.md#webhooks). */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from '../http/sample-server.ts';
import { until } from '../kit/until.ts';
import { signersOf, startReceiver, type Answering, type CloudEvent } from './receiver.ts';
import { firstRow } from '../kit/first-row.ts';

const secret = (letter: string): string => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`;
const [old, fresh, other] = [secret('o'), secret('n'), secret('x')];

const test = suite('webhooks');
const receiver = await startReceiver();
const server = await startSample({
  services: true,
  settings: { push: { allowedHosts: [`127.0.0.1:${receiver.port}`, 'inside.example:443'], allowedAddresses: [] } },
  push: {
    environment: {
      OLD: old,
      FRESH: fresh,
      WRONG: 'secret',
      ELSEWHERE: receiver.url('/Elsewhere'),
      INSIDE: 'https://inside.example/hook',
    },
    resolve: () => Promise.resolve(['10.0.0.7']),
  },
});
test.after(async () => {
  await server.stop();
  await receiver.stop();
});

await create(`
CREATE AGGREGATE Shop;
CREATE COMMAND Sell (shop STRING, item STRING, card STRING SENSITIVE NULL);
CREATE EVENT Sold (item STRING, card STRING SENSITIVE);
CREATE DECISION Selling FOR Shop ON COMMAND Sell EMIT AS SELECT EVENT Sold (item := :item, card := :card);`);

async function create(lang: string): Promise<void> {
  const answer = await server.post('/api/lang/create', { lang });
  assert.is(answer.status, 201, await answer.clone().text());
}

/** A webhook that begins now, at a path of the receiver with its name. */
async function deliver(name: string, answering: Answering, rest = ''): Promise<void> {
  receiver.answer(`/${name}`, answering);
  await create(
    `CREATE SUBSCRIPTION ${name} FROM NOW AS SELECT stream_id AS shop, data.item, data.card FROM Reg."Shop$Events" ` +
      `DELIVER TO WEBHOOK '${receiver.url(`/${name}`)}' SECRET ENV('FRESH'), ENV('OLD')${rest};`,
  );
}

/** Sells an item for each word `shop:item`. */
async function sell(words: string): Promise<void> {
  for (const word of words.split(' ')) {
    const [shop, item] = word.split(':');
    const done = await server.post('/api/aggregates/Shop/execute/Sell', { shop, item, card: '4711' });
    assert.is(done.status, 200, await done.clone().text());
  }
}

const status =
  (code: number, headers: Record<string, string> = {}): Answering =>
  (_, response) =>
    void response.writeHead(code, headers).end();
const item = ({ data }: CloudEvent): string => String(data['item']);
/** The items that a path got, in order. */
const itemsAt = (path: string): string =>
  receiver
    .at(path)
    .map(({ body }) => item(JSON.parse(body) as CloudEvent))
    .join(' ');
const ask = async (name: string, action: string, body: object = {}) => {
  const answer = await server.post(`/api/subscriptions/${name}/${action}`, body);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
};
async function standing(name: string): Promise<Record<string, unknown>> {
  return firstRow(`${server.url}/api/subscriptions/${name}`);
}
/** Waits until every row is delivered or parked. */
const idle = (name: string): Promise<void> =>
  until(async () => {
    const { lag_rows: lag, lag_is_at_least: more, out } = await standing(name);
    return lag === 0 && more === false && out === 0;
  });

test('a row is a signed CloudEvent, and 2xx acknowledges it', async () => {
  await deliver('Plain', status(202));
  await sell('x:a');
  await idle('Plain');
  const [got, ...more] = receiver.at('/Plain');
  if (got === undefined || more.length > 0) throw new Error(`${more.length + 1} requests`);
  const event = JSON.parse(got.body) as Record<string, unknown>;
  const { id, time, sequence } = event;
  assert.match(String(id), /^evt_[^.]+_Plain$/);
  assert.equal(event, {
    specversion: '1.0',
    id,
    source: '/schemac/Plain',
    type: 'Sold',
    subject: 'x',
    time,
    sequence,
    datacontenttype: 'application/json',
    partitionkey: 'x',
    data: { shop: 'x', item: 'a', card: '****' },
  });
  assert.ok(Math.abs(Date.parse(String(time)) - Date.now()) < 600_000);
  assert.is(got.headers['content-type'], 'application/cloudevents+json; charset=utf-8');
  assert.is(got.headers['webhook-id'], id);
  assert.equal(signersOf(got, [old, fresh, other]), [old, fresh]);
  assert.equal(
    { ...(await standing('Plain')), acknowledged: 0 },
    {
      name: 'Plain',
      state: 'running',
      reason: null,
      acknowledged: 0,
      lag_rows: 0,
      lag_is_at_least: false,
      lag_seconds: 0,
      out: 0,
      parked: 0,
      held_by: null,
      last_error: null,
      webhook: receiver.url('/Plain'),
      held_until: null,
    },
  );
  assert.equal(await ask('Plain', 'next'), {
    status: 409,
    body: { error: "'Plain' is delivered to a webhook, so its rows are not handed out" },
  });
});

test('while the endpoint fails in any way nothing is lost, parked or out of order', async () => {
  let failures = 0;
  const ways: readonly Answering[] = [
    status(500),
    status(429),
    status(503, { 'retry-after': 'soon' }),
    (_, response) => void response.destroy(),
    (_, response) => void response.socket?.end('HTTP/9 what\r\n\r\n'),
    (_, response) => void response.socket?.resetAndDestroy(),
    status(408),
    (_, response) => void response.writeHead(101, { upgrade: 'x', connection: 'upgrade' }).end(),
  ];
  const delivered: CloudEvent[] = [];
  await deliver(
    'Fails',
    (event, response, received) => {
      const way = ways[failures];
      if (way !== undefined) {
        failures += 1;
        return way(event, response, received);
      }
      delivered.push(event);
      return status(204)(event, response, received);
    },
    ' WITH (first_delay_seconds = 0, attempts = 1)',
  );
  await sell('x:a x:b y:c x:d y:e');
  await idle('Fails');
  assert.is(failures, ways.length);
  const of = (stream: string): string =>
    delivered
      .filter(({ subject }) => subject === stream)
      .map(item)
      .join('');
  assert.equal([of('x'), of('y')], ['abd', 'ce']);
  assert.is((await standing('Fails'))['parked'], 0);
});

test('a receiver that never answers is cut, and so is an endless answer', async () => {
  let requests = 0;
  await deliver(
    'Stalls',
    (_, response) => {
      requests += 1;
      if (requests === 1) return;
      response.writeHead(200);
      const pour = (): void => {
        while (response.writable && response.write('x'.repeat(16 * 1024)));
        response.once('drain', pour);
      };
      response.on('error', () => undefined);
      pour();
    },
    ' WITH (timeout_seconds = 1)',
  );
  await sell('x:a');
  await idle('Stalls');
  const { attempts, rows } = (await (await server.get('/api/subscriptions/Stalls/attempts')).json()) as {
    attempts: readonly { attempt: number; status: number | null; error: string | null }[];
    rows: readonly unknown[];
  };
  assert.equal(rows, []);
  const outcomes = attempts.map(({ attempt, status: code, error }) => `${attempt} ${code} ${error}`);
  // On a busy machine more than one attempt takes too long.
  assert.equal([...new Set(outcomes)], ['1 null no answer within 1 s', '1 200 null']);
});

test('a row that is refused is parked after its attempts, and a redirect is not followed', async () => {
  await deliver(
    'Refuses',
    (event, response, received) =>
      status(item(event) === 'bad' ? 400 : item(event) === 'moved' ? 307 : 200, { location: '/Secret' })(
        event,
        response,
        received,
      ),
    ' WITH (first_delay_seconds = 0, attempts = 2)',
  );
  await sell('x:bad x:a y:moved y:b');
  await idle('Refuses');
  const seen = itemsAt('/Refuses').split(' ').sort().join(' ');
  assert.is(seen, 'a b bad bad moved moved');
  assert.equal(receiver.at('/Secret'), []);
  const { parked } = (await (await server.get('/api/subscriptions/Refuses/parked')).json()) as {
    parked: readonly Record<string, unknown>[];
  };
  assert.equal(
    parked.map(({ attempts, reason }) => [attempts, reason]),
    [
      [2, 'the receiver answered 400'],
      [2, 'the receiver answered 307'],
    ],
  );
  const { rows } = (await (await server.get('/api/subscriptions/Refuses/attempts')).json()) as {
    rows: readonly { position: number; attempts: readonly { attempt: number; status: number }[] }[];
  };
  assert.equal(
    rows
      .map(({ position, attempts }) => [position, attempts.map(({ attempt, status: code }) => `${attempt} ${code}`)])
      .sort(([one], [other]) => Number(one) - Number(other)),
    parked.map(({ position }, at) => [position, at === 0 ? ['1 400', '2 400'] : ['1 307', '2 307']]),
  );
  const one = (await (await server.get('/api/subscriptions/Refuses/parked?limit=1')).json()) as {
    parked: readonly object[];
  };
  assert.equal(one.parked, parked.slice(0, 1));
});

test('a row that the receiver cannot bear is parked while rows of other keys are delivered', async () => {
  await deliver(
    'Poison',
    (event, response, received) => status(item(event) === 'bad' ? 500 : 200)(event, response, received),
    ' WITH (first_delay_seconds = 0, attempts = 2)',
  );
  await sell('x:bad x:a y:b');
  await until(async () => {
    await sell('z:more');
    return (await standing('Poison'))['parked'] === 1;
  });
  await idle('Poison');
  assert.ok(itemsAt('/Poison').includes('bad') && itemsAt('/Poison').includes('a'));
});

test('410 stops it, and start goes on', async () => {
  let isGone = true;
  await deliver('Gone', (event, response, received) => status(isGone ? 410 : 200)(event, response, received));
  await sell('x:a');
  await until(async () => (await standing('Gone'))['state'] === 'stopped');
  assert.is((await standing('Gone'))['reason'], 'the receiver answered 410, which asks to send nothing any longer');
  assert.is(receiver.at('/Gone').length, 1);
  isGone = false;
  assert.equal(await ask('Gone', 'start'), { status: 200, body: { state: 'running' } });
  await idle('Gone');
  assert.is(itemsAt('/Gone'), 'a a');
});

test('several keys at a time, and one row of a key', async () => {
  const open: (() => void)[] = [];
  const now = new Set<string>();
  let most = 0;
  await deliver(
    'Keys',
    async (event, response, received) => {
      assert.not(now.has(event.subject), `two rows of ${event.subject}`);
      now.add(event.subject);
      most = Math.max(most, now.size);
      await new Promise<void>((resolve) => open.push(resolve));
      now.delete(event.subject);
      await status(204)(event, response, received);
    },
    ' WITH (keys_at_once = 3)',
  );
  await sell('x:a y:b z:c w:d x:e y:f z:g w:h');
  await until(() => open.length === 3);
  for (let answered = 1; answered <= 8; answered++) {
    await until(() => open.length > 0);
    open.shift()?.();
    await until(() => now.size === Math.min(3, 8 - answered));
  }
  await idle('Keys');
  assert.is(most, 3);
});

test('what the configuration does not allow is not called, and says so', async () => {
  const sql = (name: string, to: string): string =>
    `CREATE SUBSCRIPTION ${name} FROM NOW AS SELECT stream_id AS shop FROM Reg."Shop$Events" DELIVER TO WEBHOOK ${to};`;
  await create(sql('Outside', "'https://203.0.113.9/hook' SECRET ENV('OLD')"));
  await create(sql('Inside', "ENV('INSIDE') SECRET ENV('OLD')"));
  await create(sql('NoUrl', "ENV('NOWHERE') SECRET ENV('OLD')"));
  await create(sql('NoSecret', "ENV('ELSEWHERE') SECRET ENV('ABSENT')"));
  await create(sql('WrongSecret', "ENV('ELSEWHERE') SECRET ENV('WRONG')"));
  await create(sql('Unsigned', `'${receiver.url('/Elsewhere')}'`));
  await sell('x:a');
  await until(async () => (await standing('Outside'))['last_error'] !== null);
  await until(async () => (await standing('Inside'))['last_error'] !== null);
  const shown = async (name: string): Promise<readonly unknown[]> => {
    const { state, reason, last_error: error, lag_rows: lag } = await standing(name);
    return [state, reason, error, lag];
  };
  const stopped = (reason: string): readonly unknown[] => ['stopped', reason, null, 1];
  const takes = 'whsec_ and base64 of 24 to 64 bytes';
  const refused = '203.0.113.9 is not in push.allowedHosts of the configuration';
  const inside = 'inside.example has the address 10.0.0.7, which is not public and not in push.allowedAddresses';
  assert.equal(await shown('Outside'), ['running', null, refused, 1]);
  assert.equal(await shown('Inside'), ['running', null, inside, 1]);
  assert.equal(await shown('NoUrl'), stopped('the variable NOWHERE of the environment is not set'));
  assert.equal(
    await shown('NoSecret'),
    stopped(`the variable ABSENT of the environment is not set; it takes ${takes}`),
  );
  assert.equal(await shown('WrongSecret'), stopped(`the variable WRONG of the environment takes ${takes}`));
  assert.equal(
    await shown('Unsigned'),
    stopped("it needs SECRET ENV('NAME'); only dev sends without a signature, to this computer"),
  );
  assert.equal(receiver.at('/Elsewhere'), []);
  for (const name of ['Outside', 'Inside', 'NoUrl', 'NoSecret', 'WrongSecret', 'Unsigned'])
    await create(`CREATE OR REPLACE SUBSCRIPTION ${name} FROM NOW AS SELECT stream_id AS shop FROM Reg."Shop$Events";`);
});

test('a test sends the last row once more, marked, and changes nothing', async () => {
  await deliver('Tried', status(200));
  await sell('x:first y:last');
  await idle('Tried');
  const before = await standing('Tried');
  const { status: code, body } = await ask('Tried', 'test');
  const { status: answered, error, attempt } = body['attempt'] as Record<string, unknown>;
  assert.equal([code, answered, error, attempt], [200, 200, null, 1]);
  const sent = receiver.at('/Tried').map(({ body: text }) => JSON.parse(text) as CloudEvent & { test?: boolean });
  const trial = sent.find((event) => event.test === true);
  assert.equal([sent.length, trial?.data['item'], trial?.id.endsWith('_Tried_test')], [3, 'last', true]);
  assert.equal(await standing('Tried'), before);
  assert.equal(await ask('Refuses', 'test', { x: 1 }), {
    status: 400,
    body: { error: "the body has no member 'x'; it takes none" },
  });
});

test('a webhook without a place next to the log starts stopped', async () => {
  const text = `CREATE SUBSCRIPTION Copied AS SELECT data.item FROM Reg."Shop$Events" DELIVER TO WEBHOOK '${receiver.url('/Copied')}' SECRET ENV('OLD');`;
  // The log with its definition was there before this process, and the file with its place was not.
  const copied = await startSample({
    services: true,
    settings: { push: { allowedHosts: [`127.0.0.1:${receiver.port}`], allowedAddresses: [] } },
    push: { environment: { OLD: old }, openedAt: Number.MAX_SAFE_INTEGER },
  });
  try {
    await copied.append(3, 1);
    const lang = text.replace('data.item', 'seq AS item').replace('Shop$Events', 'Bike$Events');
    assert.is((await copied.post('/api/lang/create', { lang })).status, 201);
    const shown = (): Promise<Record<string, unknown>> => firstRow(`${copied.url}/api/subscriptions/Copied`);
    const { state, reason, lag_rows: lag } = await shown();
    const expected = 'its place was not kept with this log; say where to begin with start and a position';
    assert.equal([state, reason, lag], ['stopped', expected, 3]);
    const started = await copied.post('/api/subscriptions/Copied/start', { position: 'end' });
    assert.is(started.status, 200);
    await until(async () => (await shown())['state'] === 'running');
    assert.is((await shown())['lag_rows'], 0);
    assert.equal(receiver.at('/Copied'), []);
  } finally {
    await copied.stop();
  }
});

test('a server that rests sends nothing', async () => {
  const resting = await startSample({
    services: true,
    settings: { push: { allowedHosts: [`127.0.0.1:${receiver.port}`], allowedAddresses: [] } },
    push: { environment: { OLD: old }, rests: 'this server was started with --no-push' },
  });
  try {
    await resting.append(2, 1);
    const lang = `CREATE SUBSCRIPTION Rests AS SELECT seq FROM Reg."Bike$Events" DELIVER TO WEBHOOK '${receiver.url('/Rests')}' SECRET ENV('OLD');`;
    assert.is((await resting.post('/api/lang/create', { lang })).status, 201);
    const shown = await firstRow(`${resting.url}/api/subscriptions/Rests`);
    assert.equal([shown['state'], shown['reason']], ['stopped', 'this server was started with --no-push']);
    assert.is((await resting.post('/api/subscriptions/Rests/test', {})).status, 409);
    assert.equal(receiver.at('/Rests'), []);
  } finally {
    await resting.stop();
  }
});

test('metrics count requests by outcome', async () => {
  const text = await (await server.get('/metrics')).text();
  for (const outcome of ['delivered', 'row', 'endpoint', 'wait', 'gone'])
    assert.match(text, new RegExp(`^schemac_webhook_attempts_total\\{outcome="${outcome}"\\} [1-9]`, 'm'));
  assert.match(text, /^schemac_webhooks_unfit 0$/m);
});

test.run();
