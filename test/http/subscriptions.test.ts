/** Rows handed out over HTTP, and their outcome (docs/http.md#subscriptions). */
import { tableFromIPC } from 'apache-arrow';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from './sample-server.ts';
import { firstRow } from '../kit/first-row.ts';

const test = suite('subscriptions');
let clock = Date.parse('2026-03-01T00:00:00Z');
const server = await startSample({ services: true, limits: { consoleMilliseconds: 60_000 }, now: () => clock });
test.after(() => server.stop());

const shop = `
CREATE AGGREGATE Shop;
CREATE COMMAND Sell (shop STRING, item STRING, cents INT, card STRING SENSITIVE NULL);
CREATE EVENT Sold (item STRING, cents INT, card STRING SENSITIVE);
CREATE DECISION Selling FOR Shop ON COMMAND Sell EMIT AS SELECT EVENT Sold (item := :item, cents := :cents, card := :card);
CREATE COMMAND Close (shop STRING);
CREATE EVENT Closed ();
CREATE DECISION Closing FOR Shop ON COMMAND Close EMIT AS SELECT EVENT Closed ();`;
await create(shop);

async function create(lang: string): Promise<void> {
  const answer = await server.post('/api/lang/create', { lang });
  assert.is(answer.status, 201, await answer.clone().text());
}

/** Sells an item for each word `shop:item:cents`. */
async function sell(words: string): Promise<void> {
  for (const word of words.split(' ')) {
    const [name = '', item = '', cents = '1'] = word.split(':');
    const sent = item === '' ? { shop: name } : { shop: name, item, cents: Number(cents), card: '4711' };
    const done = await server.post(`/api/aggregates/Shop/execute/${item === '' ? 'Close' : 'Sell'}`, sent);
    assert.is(done.status, 200, await done.clone().text());
  }
}

interface Handed {
  readonly lease: string | null;
  readonly rows: readonly {
    readonly position: number;
    readonly attempt: number;
    readonly late: boolean;
    readonly item: string;
  }[];
}

async function ask(path: string, body: object): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await server.post(`/api/subscriptions/${path}`, body);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

async function next(name: string, body: object = {}): Promise<Handed> {
  const { status, body: answer } = await ask(`${name}/next`, { wait_seconds: 0, ...body });
  assert.is(status, 200, JSON.stringify(answer));
  return answer as unknown as Handed;
}

/** `a1 b2` for items and attempts; a late row has a star. */
const shown = ({ rows }: Handed): string =>
  rows.map(({ item, attempt, late }) => `${item}${attempt}${late ? '*' : ''}`).join(' ');

async function standing(name: string): Promise<Record<string, unknown>> {
  return firstRow(`${server.url}/api/subscriptions/${name}`);
}

test('rows are handed out once, in order, and acknowledged', async () => {
  await sell('x:a y:b x:c x: y:d');
  await create(
    'CREATE SUBSCRIPTION Plain AS SELECT stream_id AS shop, data.item, data.card FROM Reg."Shop$Events" WHERE event_type = \'Sold\';',
  );
  const first = await next('Plain', { max: 3 });
  const at = first.rows[0]?.position ?? 0;
  assert.equal(first.rows, [
    { position: at, attempt: 1, late: false, shop: 'x', item: 'a', card: '****' },
    { position: at + 1, attempt: 1, late: false, shop: 'y', item: 'b', card: '****' },
    { position: at + 2, attempt: 1, late: false, shop: 'x', item: 'c', card: '****' },
  ]);
  // The key of d is out.
  assert.equal(await next('Plain'), { lease: null, until: null, rows: [] });
  assert.equal(await ask('Plain/ack', { lease: first.lease, positions: [at + 1] }), {
    status: 200,
    body: { acknowledged: at - 1 },
  });
  const second = await next('Plain');
  assert.is(shown(second), 'd1');
  assert.equal((await ask('Plain/ack', { lease: first.lease })).body, { acknowledged: at + 2 });
  assert.equal((await ask('Plain/ack', { lease: second.lease })).body, { acknowledged: at + 4 });
  assert.equal(await standing('Plain'), {
    name: 'Plain',
    state: 'running',
    reason: null,
    acknowledged: at + 4,
    lag_rows: 0,
    lag_is_at_least: false,
    lag_seconds: 0,
    out: 0,
    parked: 0,
    held_by: null,
    last_error: null,
    webhook: null,
    held_until: null,
  });
});

test('the registry and the console show how far it has come', async () => {
  const shown = await standing('Plain');
  const registered = await firstRow(`${server.url}/api/reg/subscriptions/Plain`);
  const { query_sql: query, key_sql: _, waits_for: __, doc: ___, ...rest } = registered;
  assert.equal(rest, shown);
  assert.is(query, `SELECT stream_id AS shop, data.item, data.card FROM Reg."Shop$Events" WHERE event_type = 'Sold'`);
  const sql = `SELECT m.name, m.acknowledged, o.lag_rows FROM Reg.meta_subscriptions m
    JOIN Reg.meta_subscriptions o ON o.name = m.name WHERE m.name = :name AND m.lag_is_at_least = FALSE`;
  const json = { Accept: 'application/json' };
  const answer = await server.post('/api/query', { sql, params: { name: 'Plain' } }, json);
  assert.equal(await answer.json(), [{ name: 'Plain', acknowledged: shown['acknowledged'], lag_rows: 0 }]);
});

test('a waiting consumer gets a row as soon as it is durable', async () => {
  const waiting = next('Plain', { wait_seconds: 20 });
  await sell('z:new');
  const handed = await waiting;
  assert.is(shown(handed), 'new1');
  await ask('Plain/ack', { lease: handed.lease });
  // Only the registry is known of the past.
  const { acknowledged } = await standing('Plain');
  const past = await firstRow(`${server.url}/api/reg/subscriptions/Plain?as_of=${String(acknowledged)}`);
  assert.equal([past['name'], past['state'], past['acknowledged']], ['Plain', null, null]);
});

test('a failed row waits, blocks its key alone, and is parked after its attempts', async () => {
  await create(
    'CREATE SUBSCRIPTION Fails FROM NOW AS SELECT data.item FROM Reg."Shop$Events" WITH (attempts = 2, first_delay_seconds = 10);',
  );
  await next('Fails');
  await sell('x:a x:b y:c');
  const first = await next('Fails');
  assert.is(shown(first), 'a1 b1 c1');
  const [a = 0, b = 0, c = 0] = first.rows.map(({ position }) => position);
  assert.equal((await ask('Fails/nack', { lease: first.lease, positions: [a], reason: 'no room' })).body, {
    given_back: true,
  });
  // b came after a with its key, so it was given back untried.
  assert.equal(await ask('Fails/ack', { lease: first.lease, positions: [b, c] }), {
    status: 409,
    body: { error: `the consumer no longer had the rows at ${b}; the others are done`, lost: [b] },
  });
  assert.is(shown(await next('Fails')), '');
  assert.equal((await standing('Fails'))['held_by'], a);
  clock += 10_000;
  const second = await next('Fails');
  assert.is(shown(second), 'a2 b1');
  // A lease that runs out is a failure of the first row of each key alone.
  clock += 31_000;
  const third = await next('Fails');
  assert.is(shown(third), 'b1');
  assert.equal((await ask('Fails/ack', { lease: third.lease })).status, 200);
  const { parked } = (await (await server.get('/api/subscriptions/Fails/parked')).json()) as { parked: object[] };
  assert.equal(
    parked.map((row) => ({ ...row, event_id: '' })),
    [
      {
        position: a,
        event_id: '',
        key: 'x',
        attempts: 2,
        reason: 'its lease ran out',
        parked_at: new Date(clock).toISOString(),
      },
    ],
  );
  assert.equal(await standing('Fails'), {
    name: 'Fails',
    state: 'running',
    reason: null,
    acknowledged: c,
    lag_rows: 0,
    lag_is_at_least: false,
    lag_seconds: 0,
    out: 0,
    parked: 1,
    held_by: null,
    last_error: 'its lease ran out',
    webhook: null,
    held_until: null,
  });
  // Retried, it comes out of turn, and the acknowledged position stays.
  assert.equal((await ask(`Fails/parked/${a}/retry`, {})).body, { position: a });
  assert.is((await ask(`Fails/parked/${a}/retry`, {})).status, 404);
  const late = await next('Fails');
  assert.is(shown(late), 'a1*');
  assert.equal((await ask('Fails/nack', { lease: late.lease, reason: 'never', park: true })).status, 200);
  assert.equal(await ask('Fails/parked/retry', { all: true, count: 2 }), {
    status: 409,
    body: { error: '1 rows are parked, not 2; nothing was changed' },
  });
  assert.equal((await ask('Fails/parked/retry', { all: true, count: 1 })).body, { retried: 1 });
  const again = await next('Fails');
  assert.is(shown(again), 'a1*');
  assert.equal((await ask('Fails/ack', { lease: again.lease })).body, { acknowledged: c });
});

test('a late acknowledgement counts until the rows are handed out again', async () => {
  await create(
    'CREATE SUBSCRIPTION Late FROM NOW AS SELECT data.item FROM Reg."Shop$Events" WITH (lease_seconds = 5);',
  );
  await next('Late');
  await sell('x:a y:b');
  const first = await next('Late');
  clock += 6000;
  await standing('Late');
  const [a = 0, b = 0] = first.rows.map(({ position }) => position);
  assert.equal((await ask('Late/ack', { lease: first.lease, positions: [a] })).body, { acknowledged: a });
  const second = await next('Late');
  assert.is(shown(second), 'b2');
  assert.equal((await ask('Late/ack', { lease: first.lease })).body['lost'], [b]);
  assert.equal((await ask('Late/extend', { lease: second.lease, lease_seconds: 60 })).body, {
    until: new Date(clock + 60_000).toISOString(),
  });
  clock += 30_000;
  assert.equal((await ask('Late/ack', { lease: second.lease })).body, { acknowledged: b });
  assert.is((await ask('Late/ack', { lease: 'none' })).status, 409);
});

test("with on_failure = 'wait' the key of a parked row stops, the others go on", async () => {
  await create(
    'CREATE SUBSCRIPTION Waits FROM NOW AS SELECT data.item FROM Reg."Shop$Events" WITH (attempts = 1, on_failure = \'wait\', max_out = 3);',
  );
  await next('Waits');
  await sell('x:a x:b y:c y:d y:e y:f');
  const first = await next('Waits', { max: 1 });
  await ask('Waits/nack', { lease: first.lease, reason: 'broken' });
  const second = await next('Waits');
  assert.is(shown(second), 'c1 d1 e1');
  assert.is((await ask('Waits/ack', { lease: second.lease })).status, 200);
  // Three rows are acknowledged behind b, which waits.
  assert.is(shown(await next('Waits')), '');
  await ask(`Waits/parked/${first.rows[0]?.position ?? 0}/discard`, {});
  assert.is(shown(await next('Waits', { max: 1 })), 'b1');
});

test('reset voids leases, pause and start, and a position beyond the end is refused', async () => {
  await create(
    'CREATE SUBSCRIPTION Again FROM POSITION 2 AS SELECT data.item FROM Reg."Shop$Events" WHERE seq > 0 AND event_type = \'Sold\';',
  );
  const first = await next('Again', { max: 2 });
  assert.is(shown(first), 'c1 d1');
  assert.equal((await ask('Again/reset', { position: 0 })).body, { acknowledged: 0 });
  assert.is((await ask('Again/ack', { lease: first.lease })).status, 409);
  assert.is((await ask('Again/pause', {})).status, 200);
  assert.equal([(await standing('Again'))['state'], (await standing('Again'))['reason']], ['stopped', 'paused']);
  assert.is(shown(await next('Again')), '');
  assert.equal((await ask('Again/start', { position: 1 })).body, { state: 'running' });
  assert.is(shown(await next('Again', { max: 1 })), 'b1');
  assert.match(
    String((await ask('Again/reset', { position: 9999 })).body['error']),
    /^the log ends at global_position \d+, before 9999$/,
  );
});

test('a replaced definition goes on where it stood, once the rows of the old one are back', async () => {
  await create('CREATE SUBSCRIPTION Changes FROM POSITION 0 AS SELECT data.item FROM Reg."Shop$Events";');
  const first = await next('Changes', { max: 1 });
  await create(
    "CREATE OR REPLACE SUBSCRIPTION Changes AS SELECT data.item || '!' AS item FROM Reg.\"Shop$Events\" WHERE event_type = 'Sold';",
  );
  assert.is(shown(await next('Changes')), '');
  assert.equal((await ask('Changes/ack', { lease: first.lease })).body, { acknowledged: 1 });
  assert.is(shown(await next('Changes', { max: 2 })), 'b!1 c!1');
});

test('a consumer that waits for the rows of a replaced definition holds up no other caller', async () => {
  await create('CREATE SUBSCRIPTION Held FROM NOW AS SELECT data.item FROM Reg."Shop$Events";');
  await next('Held');
  await sell('w:first:1');
  const { lease } = await next('Held');
  await create('CREATE OR REPLACE SUBSCRIPTION Held AS SELECT data.item || \'!\' AS item FROM Reg."Shop$Events";');
  await sell('w:second:1');
  const waiting = next('Held', { wait_seconds: 60 });
  assert.is((await server.get('/health')).status, 200);
  assert.is((await ask('Held/ack', { lease })).status, 200);
  assert.is(shown(await waiting), 'second!1');
});

test('an event whose row fails is parked with its error, and the others are delivered', async () => {
  await create(
    'CREATE SUBSCRIPTION Divides FROM NOW AS SELECT data.item, 100 / data.cents AS share FROM Reg."Shop$Events" KEY data.cents;'.replace(
      ' KEY data.cents',
      '',
    ),
  );
  await next('Divides');
  await sell('x:a:5 x:zero:0 y:b:4');
  const handed = await next('Divides');
  assert.is(shown(handed), 'a1 b1');
  const { parked } = (await (await server.get('/api/subscriptions/Divides/parked')).json()) as {
    parked: { reason: string }[];
  };
  assert.equal(
    parked.map(({ reason }) => reason),
    [`division by zero, column 'share' of the row with item "zero"`],
  );
});

test('bodies and paths are checked', async () => {
  const cases: readonly (readonly [path: string, body: object, status: number, error: string])[] = [
    ['None/next', {}, 404, "there is no subscription 'None'"],
    ['Plain/next', { max: 0 }, 400, "'max' takes a whole number from 1 to 1000"],
    ['Plain/next', { wait: 1 }, 400, "the body has no member 'wait'; it takes max, wait_seconds, lease_seconds"],
    ['Plain/ack', {}, 400, "'lease' is missing; it takes the text of a lease"],
    ['Plain/ack', { lease: 'x', positions: [1.5] }, 400, "'positions' takes a list of at most 1000 positions"],
    [
      'Plain/nack',
      { lease: 'x', reason: 'y', park: true, delay_seconds: 3 },
      400,
      'the body takes one of park, stop and delay_seconds',
    ],
    ['Plain/parked/x/retry', {}, 400, "{position} in the path takes a whole number, not 'x'"],
    ['Plain/parked/7/discard', {}, 404, "no row of 'Plain' is parked at position 7"],
  ];
  for (const [path, body, status, error] of cases) {
    const answer = await ask(path, body);
    assert.equal([answer.status, answer.body['error']], [status, error]);
  }
});

test('rows come as Arrow too, with the lease in headers', async () => {
  await create(
    'CREATE SUBSCRIPTION InArrow FROM NOW AS SELECT data.item, data.cents, data.card FROM Reg."Shop$Events" WHERE event_type = \'Sold\';',
  );
  const take = async () => {
    const Accept = 'application/vnd.apache.arrow.stream';
    const answer = await server.post('/api/subscriptions/InArrow/next', { wait_seconds: 0 }, { Accept });
    assert.equal([answer.status, answer.headers.get('content-type')], [200, Accept]);
    const rows = tableFromIPC(new Uint8Array(await answer.arrayBuffer()))
      .toArray()
      .map((row) => ({ ...row }) as object);
    return { rows, lease: answer.headers.get('schemac-lease'), until: answer.headers.get('schemac-lease-until') };
  };
  assert.equal(await take(), { rows: [], lease: null, until: null });
  await sell('x:a:5');
  const position = BigInt(server.engine.store.turns.position().event);
  const { rows, lease, until } = await take();
  assert.equal(rows, [{ position, attempt: 1, late: false, item: 'a', cents: 5, card: '****' }]);
  assert.is(until, new Date(clock + 30_000).toISOString());
  assert.equal(await ask('InArrow/ack', { lease }), { status: 200, body: { acknowledged: Number(position) } });
});

test('a row that was parked behind one that is out comes again once, or never', async () => {
  await create('CREATE SUBSCRIPTION Gaps FROM NOW AS SELECT data.item FROM Reg."Shop$Events";');
  await next('Gaps');
  await sell('x:a y:b z:c');
  const { lease, rows } = await next('Gaps');
  const [a = 0, b = 0, c = 0] = rows.map(({ position }) => position);
  await ask('Gaps/nack', { lease, positions: [b, c], reason: 'no', park: true });
  assert.is((await ask(`Gaps/parked/${c}/discard`, {})).status, 200);
  assert.is((await ask(`Gaps/parked/${b}/retry`, {})).status, 200);
  const again = await next('Gaps');
  assert.is(shown(again), 'b1*');
  await ask('Gaps/ack', { lease: again.lease });
  assert.equal((await ask('Gaps/ack', { lease, positions: [a] })).body, { acknowledged: c });
  assert.is(shown(await next('Gaps')), '');
});

test('a new definition drops the parked rows that it leaves out, and gives a last attempt', async () => {
  const define = (attempts: number, where: string): Promise<void> =>
    create(
      `CREATE OR REPLACE SUBSCRIPTION Shrinks FROM NOW AS SELECT data.item FROM Reg."Shop$Events" WHERE data.item <> '${where}' WITH (attempts = ${attempts});`,
    );
  const nack = async (): Promise<void> => {
    const { lease } = await next('Shrinks');
    await ask('Shrinks/nack', { lease, reason: 'no', delay_seconds: 0 });
  };
  const leftOut = async (): Promise<string | undefined> =>
    (await (await server.get('/metrics')).text()).match(/^schemac_subscription_rows_left_out_total (\d+)$/m)?.[1];
  await define(1, '');
  await next('Shrinks');
  await sell('x:a y:b');
  await nack();
  assert.is((await standing('Shrinks'))['parked'], 2);
  await define(5, 'a');
  assert.equal([(await standing('Shrinks'))['parked'], await leftOut()], [1, '1']);
  await sell('x:c');
  for (let attempt = 1; attempt <= 3; attempt += 1) await nack();
  await define(2, 'a');
  assert.is((await standing('Shrinks'))['parked'], 1);
  assert.is(shown(await next('Shrinks', { max: 1 })), 'c4');
});

test('rows that are not read ahead count as well', async () => {
  await create('CREATE SUBSCRIPTION Counts AS SELECT seq AS n FROM Reg."Bike$Events" WHERE seq % 2 = 1;');
  await server.append(17_000, 1, 1);
  const { lag_rows: lag, lag_is_at_least: more } = await standing('Counts');
  assert.equal([lag, more], [8_500, false]);
  const { lease, rows } = await next('Counts', { max: 1000 });
  const named = rows.slice(0, 900).map(({ position }) => position);
  assert.is((await ask('Counts/ack', { lease, positions: named })).status, 200);
  assert.equal([(await standing('Counts'))['lag_rows'], (await standing('Counts'))['out']], [7_600, 100]);
});

test('an effect is answered once, as done, while definitions change', async () => {
  const busy = await startSample({ services: true });
  const post = async (path: string, body: object): Promise<string> => {
    const answer = await busy.post(path, body);
    return `${answer.status} ${await answer.text()}`;
  };
  const act = (action: string, body: object): Promise<string> => post(`/api/subscriptions/Rides/${action}`, body);
  try {
    const lang =
      'CREATE SUBSCRIPTION Rides AS SELECT stream_id AS stream FROM Reg."Bike$Events" WITH (max_out = 1000, first_delay_seconds = 3600);';
    assert.match(await post('/api/lang/create', { lang }), /^201 /);
    await busy.append(3000, 10, 200);
    const leases: { readonly lease: string; readonly position: number }[] = [];
    while (leases.length < 80) {
      const text = await act('next', { max: 1, wait_seconds: 0 });
      const { lease, rows } = JSON.parse(text.slice(4)) as Handed;
      leases.push({ lease: lease ?? '', position: rows[0]?.position ?? 0 });
    }
    let isOver = false;
    const change = async (): Promise<void> => {
      for (let version = 0; !isOver; version += 1) {
        const made = `CREATE OR REPLACE PROJECTION Changing AS SELECT ${version} AS n FROM Reg."Bike$Events";`;
        assert.match(await post('/api/lang/create', { lang: made }), /^201 /);
      }
    };
    const changing = change();
    const wrong: string[] = [];
    const expect = async (action: string, body: object, expected: RegExp): Promise<void> => {
      const found = await act(action, body);
      if (!expected.test(found)) wrong.push(`${action}: ${found}`);
    };
    const consume = async (from: number): Promise<void> => {
      for (const { lease, position } of leases.filter((_, at) => at % 4 === from)) {
        await expect('extend', { lease, lease_seconds: 60 }, /^200 \{"until":/);
        if (from < 2) await expect('ack', { lease }, /^200 \{"acknowledged":\d+\}$/);
        else {
          await expect('nack', { lease, reason: 'bad', park: true }, /^200 \{"given_back":true\}$/);
          await expect(`parked/${position}/discard`, {}, /^200 /);
        }
      }
    };
    await Promise.all([0, 1, 2, 3].map(consume)).finally(() => {
      isOver = true;
    });
    await changing;
    assert.equal(wrong, []);
    const { acknowledged, parked, out } = await firstRow(`${busy.url}/api/subscriptions/Rides`);
    assert.equal([acknowledged, parked, out], [Math.max(...leases.map(({ position }) => position)), 0, 0]);
  } finally {
    await busy.stop();
  }
});

test.run();
