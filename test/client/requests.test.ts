import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { linesOf, textOf } from '../../client/ask.ts';
import { ClientError } from '../../client/client-error.ts';
import { connect } from '../../client/connection.ts';
import { execute } from '../../client/execute.ts';
import type { CommandOptions } from '../../client/options.ts';
import { events } from '../../client/events.ts';
import { follow } from '../../client/follow.ts';
import type { FollowOptions, HiddenStream } from '../../client/options.ts';
import { rows } from '../../client/rows.ts';
import { scripted, type Reply, type Scripted } from './scripted.ts';

const types = {
  events: { Paid: { amount: 'DECIMAL(12,2)', ref: 'BIGINT' } },
  state: { balance: 'DECIMAL(12,2)' },
  command: { purse_id: 'STRING', amount: 'DECIMAL(12,2)' },
};
const path = '/api/aggregates/Purse/execute/Pay';
const emitted: Reply = {
  body: '[{"event_type":"Paid","stream_id":"p","seq":7,"status":"success","fields":"{\\"amount\\":0.10,\\"ref\\":\\"9007199254740993\\"}"}]',
};
const pay = (on: Scripted, given: CommandOptions = {}, command: object = { purse_id: 'p', amount: '0.10' }) =>
  execute(on.connection, path, types, command, given);
const keysOf = (on: Scripted) => on.sent.map(({ headers }) => headers['idempotency-key']);

/** The error of a call as data. */
async function failure(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof ClientError)) return error;
    const { kind, message, status, requestId, idempotencyKey } = error;
    return Object.fromEntries(
      Object.entries({ kind, message, status, requestId, idempotencyKey }).filter(([, value]) => value !== undefined),
    );
  }
  throw new Error('the call succeeded');
}

test('a command is sent with all its options, and its events are read exactly', async () => {
  const on = scripted([{ ...emitted, headers: { 'idempotent-replayed': 'true' } }], { token: 'secret' });
  const given = { idempotencyKey: 'k', expectedSeq: 6n, correlationId: 'c', causationId: 'd' };
  assert.equal(await pay(on, given, { purse_id: 'p', amount: '0.10', ref: 2n ** 60n }), {
    outcome: 'emitted',
    replayed: true,
    events: [{ event_type: 'Paid', stream_id: 'p', seq: 7n, fields: { amount: '0.10', ref: 9007199254740993n } }],
  });
  assert.equal(on.sent, [
    {
      url: `http://host:1${path}`,
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'idempotency-key': 'k',
        'if-match': '"6"',
        'x-correlation-id': 'c',
        'x-causation-id': 'd',
        authorization: 'Bearer secret',
      },
      body: '{"purse_id":"p","amount":"0.10","ref":"1152921504606846976"}',
    },
  ]);
});

test('an event unknown to the client is returned as sent', async () => {
  const body = '[{"event_type":"New","stream_id":"p","seq":1,"status":"success","fields":"{\\"a\\":1.5}"}]';
  assert.equal(await pay(scripted([{ body }])), {
    outcome: 'emitted',
    replayed: false,
    events: [{ event_type: 'New', stream_id: 'p', seq: 1n, fields: { a: 1.5 } }],
  });
});

test('the token is requested again before each request', async () => {
  let asked = 0;
  const on = scripted(['gone', emitted], { token: async () => `t${++asked}` });
  await pay(on);
  assert.equal(
    on.sent.map(({ headers }) => headers['authorization']),
    ['Bearer t1', 'Bearer t2'],
  );
});

test('every attempt of a command carries the same key, a UUID from the given random bytes', async () => {
  const on = scripted(['gone', { status: 503, body: '{"error":"busy"}' }, { ...emitted, then: 'cut' }, emitted]);
  await pay(on);
  assert.equal(keysOf(on), Array(4).fill('80808080-8080-4080-8080-808080808080'));
});

const passing: readonly (readonly [what: string, reply: Reply | 'gone' | 'never', pause: number])[] = [
  ['no answer', 'gone', 150],
  ['an answer that does not come', 'never', 150],
  ['a busy server', { status: 503, body: '{"error":"busy"}' }, 150],
  [
    'a busy server that asks for a second',
    { status: 503, body: '{"error":"busy"}', headers: { 'retry-after': '1' } },
    1000,
  ],
  ['a gateway without its server', { status: 502, body: '<html>' }, 150],
  ['too many requests', { status: 429, body: '{"error":"slowly"}', headers: { 'retry-after': '2' } }, 2000],
  ['an answer cut in the middle', { ...emitted, then: 'cut' }, 150],
  ['an answer that stops in the middle', { ...emitted, then: 'silent' }, 150],
];
for (const [what, reply, pause] of passing) {
  test(`is sent again: ${what}`, async () => {
    const on = scripted([reply, emitted]);
    assert.is((await pay(on)).outcome, 'emitted');
    assert.equal(on.pauses, [pause]);
  });
}

test('pauses grow with random spread up to ten seconds', async () => {
  for (const [byte, expected] of [
    [0, [200, 400, 800, 1600, 3200, 6400, 10000, 10000]],
    [255, [200, 400, 800, 1600, 3200, 6400, 10000, 10000].map((pause) => pause * (1 - 255 / 512))],
  ] as const) {
    const on = scripted([], { attempts: 9, randomBytes: (count) => new Uint8Array(count).fill(byte) });
    await failure(pay(on));
    assert.equal(on.pauses, expected);
  }
});

const refused: readonly (readonly [reply: Reply, error: object])[] = [
  [
    { status: 400, body: '{"error":"Pay: argument \'amount\' is missing"}', headers: { 'x-request-id': 'r1' } },
    { kind: 'refused', message: "Pay: argument 'amount' is missing", status: 400, requestId: 'r1' },
  ],
  [
    { status: 401, body: '{"error":"who are you"}' },
    { kind: 'refused', message: 'who are you', status: 401 },
  ],
  [
    { status: 412, body: '{"error":"seq is 7"}' },
    { kind: 'refused', message: 'seq is 7', status: 412 },
  ],
  [
    { status: 500, body: '{"error":"internal error"}' },
    { kind: 'refused', message: 'internal error', status: 500 },
  ],
  [
    { status: 418, body: '<html>' },
    { kind: 'refused', message: 'the server answered with status 418', status: 418 },
  ],
  [
    { status: 418, body: 'null' },
    { kind: 'refused', message: 'the server answered with status 418', status: 418 },
  ],
  [
    { status: 503, body: '{"error":"closed until tomorrow"}', headers: { 'retry-after': '86400' } },
    { kind: 'refused', message: 'closed until tomorrow', status: 503 },
  ],
  [{ body: '[{' }, { kind: 'damaged', message: 'the answer is not JSON' }],
  [{ body: '{}' }, { kind: 'damaged', message: 'the answer is no list of rows' }],
  [
    { body: '<html>', headers: { 'content-type': 'text/html' } },
    { kind: 'damaged', message: 'the answer is no application/json' },
  ],
];
for (const [reply, error] of refused) {
  test(`is an error at once: ${reply.status ?? 200} ${String(reply.body)}`, async () => {
    const on = scripted([reply]);
    assert.equal(await failure(pay(on, { idempotencyKey: 'k' })), { ...error, idempotencyKey: 'k' });
    assert.equal(on.pauses, []);
  });
}

test('a command without an answer fails with its key, so that it can be sent again', async () => {
  assert.equal(await failure(pay(scripted([], { attempts: 2 }), { idempotencyKey: 'k' })), {
    kind: 'unreachable',
    message: 'http://host:1 does not answer: connect ECONNREFUSED',
    idempotencyKey: 'k',
  });
  assert.equal(await failure(pay(scripted(['never'], { attempts: 1, timeout: 77 }), { idempotencyKey: 'k' })), {
    kind: 'timeout',
    message: 'http://host:1 took more than 77 ms to answer',
    idempotencyKey: 'k',
  });
});

test('a trickle does not prolong a call, and an answer or a line that is too long is refused', async () => {
  const trickle = (): Promise<Response> => {
    const body = new ReadableStream<Uint8Array>({
      pull: async (control) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        control.enqueue(new Uint8Array([32]));
      },
    });
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'application/json' } }));
  };
  const connection = connect({ baseUrl: 'http://host:1', fetch: trickle, timeout: 60, attempts: 1 });
  assert.equal(await failure(execute(connection, path, types, {}, { idempotencyKey: 'k' })), {
    kind: 'timeout',
    message: 'http://host:1 took more than 60 ms to answer',
    idempotencyKey: 'k',
  });
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (const text of ['a\nbc', 'de', 'f\n']) yield await Promise.resolve(new TextEncoder().encode(text));
  }
  const said = (work: Promise<unknown>): Promise<string> => work.then(String, (error: unknown) => String(error));
  const all = async (most: number): Promise<readonly string[]> => {
    const lines: string[] = [];
    for await (const line of linesOf(pieces(), most)) lines.push(line);
    return lines;
  };
  assert.equal(
    [await said(textOf(pieces(), 8)), await said(textOf(pieces(), 7)), await said(all(4)), await said(all(3))],
    [
      'a\nbcdef\n',
      'ClientError: the answer has more than 7 bytes',
      'a,bcdef',
      'ClientError: a line of the answer has more than 3 characters',
    ],
  );
});

test('a signal ends a call with its reason: before it, while it waits, and in a pause', async () => {
  const reason = new Error('enough');
  const before = scripted([emitted]);
  assert.is(await failure(pay(before, { signal: AbortSignal.abort(reason) })), reason);
  assert.equal(before.sent, []);

  const control = new AbortController();
  const waiting = scripted(['never', emitted], { sleep: () => new Promise(() => undefined) });
  const call = failure(pay(waiting, { signal: control.signal }));
  setImmediate(() => control.abort(reason));
  assert.is(await call, reason);
  assert.is(waiting.sent.length, 1);

  const later = new AbortController();
  const pausing = scripted(['gone', emitted], {
    sleep: async (milliseconds, signal) => {
      if (milliseconds < 1000) later.abort(reason);
      else await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    },
  });
  assert.is(await failure(pay(pausing, { signal: later.signal })), reason);
  assert.is(pausing.sent.length, 1);
});

test('the platform waits, and stops waiting when a signal says so', async () => {
  const { sleep } = connect({ baseUrl: '' });
  await sleep(1);
  await sleep(600_000, AbortSignal.abort());
  const control = new AbortController();
  const slept = sleep(600_000, control.signal);
  control.abort();
  await slept;
});

test('a table can be awaited repeatedly, and is requested once', async () => {
  const on = scripted([{ status: 503, body: '' }, { body: '[{"a":1.50,"b":"1.50"}]' }], { format: 'json' });
  const table = rows(
    on.connection,
    '/t',
    { a: 'DECIMAL(5,2)', b: 'STRING' },
    { limit: 2, offset: 0, where: { limit: 'x', b: 1n } },
  );
  assert.equal(on.sent, []);
  assert.equal(await table, [{ a: '1.50', b: '1.50' }]);
  assert.equal(await table, [{ a: '1.50', b: '1.50' }]);
  assert.equal(
    on.sent.map(({ url }) => url),
    Array(2).fill('http://host:1/t?limit=2&offset=0&.limit=x&.b=1'),
  );
});

for (const baseUrl of ['host:1', 'ftp://host', 'http:', 'javascript:alert(1)']) {
  test(`not a base URL: ${baseUrl}`, () => {
    assert.throws(
      () => connect({ baseUrl }),
      (error: Error) => error.message === `baseUrl takes an http or https address, not '${baseUrl}'`,
    );
  });
}

test('conditions, order and the count of a read', async () => {
  const counted: Reply = { body: '[]', headers: { 'schemac-total': '12' } };
  const on = scripted([{ body: '[]' }, counted, counted], { format: 'json' });
  const where = {
    a: { gte: 1, lt: '2.50', ne: 2n },
    'b"c': { in: ['x,y', 'z "1"', 3], null: false },
    d: true,
    e: undefined,
  };
  const order = ['a', { column: 'b"c', direction: 'desc', nulls: 'last' }] as const;
  const read = rows(on.connection, '/t', {}, { where, order, limit: 5, offset: 2 });
  assert.equal(await read, []);
  assert.is(await read.count(), 12);
  assert.is(await events(on.connection, '/e', {}, { where: { seq: { gt: 7 } }, after: 3, pageSize: 2 }).count(), 12);
  const filters = '.a[gte]=1&.a[lt]=2.50&.a[ne]=2&.b"c[in]="x,y","z ""1""","3"&.b"c[null]=false&.d=true';
  assert.equal(
    on.sent.map(({ url, headers }) => [decodeURIComponent(url.replaceAll('+', ' ')), headers['prefer']]),
    [
      [`http://host:1/t?limit=5&offset=2&order="a","b""c".desc.nullslast&${filters}`, undefined],
      [`http://host:1/t?limit=0&${filters}`, 'count=exact'],
      ['http://host:1/e?limit=0&after=3&.seq[gt]=7', 'count=exact'],
    ],
  );
});

const followed = (position: number): string =>
  `${JSON.stringify({ event_id: `e${position}`, event_type: 'Paid', data: { amount: 1 }, global_position: position })}\n`;
const mark = (position: number): string => `{"global_position":${position}}\n`;
const ended = (reason: string, position: number): string =>
  `{"control":"end","reason":"${reason}","global_position":${position},"retry":700}\n`;

interface Following {
  readonly replies: readonly Parameters<typeof scripted>[0][number][];
  readonly options?: FollowOptions;
  /** Positions of the events that came, and what was thrown. */
  readonly came: string;
  /** `after` and `limit` of each request. */
  readonly asked: readonly string[];
}

const following: Readonly<Record<string, Following>> = {
  'it goes on after the last position that it saw, whatever cut it': {
    replies: [
      { body: mark(0) + followed(1) + followed(2).slice(0, 30), then: 'cut' },
      'gone',
      { status: 503, body: '{"error":"full"}', headers: { 'retry-after': '5' } },
      { status: 502, body: 'gateway' },
      { body: mark(1) + followed(2) + mark(7) + ended('stop', 7) },
      { body: mark(7) + followed(8) + ended('until', 8) },
    ],
    came: '1 2 8',
    asked: ['0', '1', '1', '1', '1', '7'],
  },
  'a stream from now on continues from its first mark': {
    options: { after: 'end' },
    replies: [{ body: mark(5), then: 'cut' }, { body: mark(5) + followed(6) + ended('limit', 6) }],
    came: '6',
    asked: ['end', '5'],
  },
  'a limit counts over connections': {
    options: { limit: 2 },
    replies: [{ body: mark(0) + followed(1), then: 'cut' }, { body: mark(1) + followed(2) + ended('limit', 2) }],
    came: '1 2',
    asked: ['0 2', '1 1'],
  },
  'a token that ran out is asked for again; one that is refused is not': {
    replies: [
      { body: mark(0) + followed(1) + ended('credentials', 1) },
      { status: 401, body: '{"error":"the bearer token is not accepted"}' },
    ],
    came: '1 refused 401',
    asked: ['0', '1'],
  },
  'a stream that is taken away is reported, and so is other access, before it goes on': {
    replies: [
      {
        body:
          mark(0) +
          followed(1) +
          '{"control":"hidden","stream_type":"Note","stream_id":"n1","global_position":2}\n' +
          followed(3) +
          ended('access', 3),
      },
      { body: mark(3) + followed(4) + ended('until', 4) },
    ],
    came: '1 Note n1 hidden at 2 3 access 4',
    asked: ['0', '3'],
  },
  'a position that the log does not have is thrown': {
    options: { after: 9 },
    replies: [{ status: 409, body: '{"error":"the log ends at global_position 5, before 9"}' }],
    came: 'refused 409',
    asked: ['9'],
  },
};

for (const [name, { replies, options = {}, came, asked }] of Object.entries(following))
  test(`follow: ${name}`, async () => {
    const lines = replies.map((reply) =>
      typeof reply === 'object' ? { headers: { 'content-type': 'application/x-ndjson' }, ...reply } : reply,
    );
    const { connection, sent } = scripted(lines);
    const seen: string[] = [];
    const signs = {
      onHidden: ({ stream_type, stream_id, global_position }: HiddenStream) =>
        void seen.push(`${stream_type} ${stream_id} hidden at ${global_position}`),
      onAccess: () => void seen.push('access'),
    };
    try {
      for await (const event of follow<{ global_position: bigint }>(
        connection,
        '/e',
        { Paid: { amount: 'DOUBLE' } },
        { ...signs, ...options },
      ))
        seen.push(String(event.global_position));
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      seen.push(`${error.kind} ${error.status}`);
    }
    const parameters = sent.map(({ url }) => new URL(url, 'http://x').searchParams);
    assert.equal(
      [seen.join(' '), parameters.map((all) => [all.get('after'), all.get('limit')].filter(Boolean).join(' '))],
      [came, asked],
    );
  });

test('a client asks every server for what it has seen, and forgets it when the store is another one', async () => {
  const at = (store: string, entry: string): Reply => ({
    ...emitted,
    headers: { 'schemac-store': store, 'schemac-entry': entry },
  });
  const on = scripted([at('s', '7'), at('s', '5'), at('t', '2'), emitted]);
  for (let call = 1; call <= 4; call += 1) await pay(on);
  assert.equal(
    on.sent.map(({ headers }) => headers['schemac-min-entry']),
    [undefined, '7', '7', '2'],
  );
});

test.run();
