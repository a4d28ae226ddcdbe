import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { pathToFileURL } from 'node:url';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { projectOf } from './compiled.ts';

const text = `
CREATE AGGREGATE Purse (purse_id STRING KEY, balance DECIMAL(12,2) DEFAULT 0 AS SUM(data.amount), moves BIGINT AS COUNT(*));
CREATE COMMAND Pay (purse_id STRING, amount DECIMAL(12,2), ref BIGINT NULL); CREATE EVENT Paid (amount DECIMAL(12,2), ref BIGINT);
CREATE DECISION Pays FOR Purse ON COMMAND Pay EMIT AS SELECT EVENT Paid (amount := :amount, ref := :ref);
CREATE PROJECTION Totals AS SELECT SUM(data.amount) AS total, ARRAY_AGG(data.amount) AS amounts FROM Reg."Purse$Events";`;

type Call = (...given: readonly unknown[]) => Promise<{ readonly outcome?: string }>;
/** What this test calls of the generated client, whose own types another test checks. */
interface CalledClient {
  readonly commands: { readonly Pay: Call };
  readonly state: { readonly Purse: Call };
  readonly events: { readonly Purse: Call };
  readonly projections: { readonly Totals: Call };
}

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}
interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Runs `work` with a client whose requests are noted and answered in turn; 'gone' is no answer at all. */
async function withClient(
  answers: readonly (Answer | 'gone')[],
  work: (client: CalledClient) => Promise<void>,
): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  const left = [...answers];
  const fetch = (url: string, init: Omit<Sent, 'url'>): Promise<Response> => {
    sent.push({ url, ...init });
    const answer = left.shift();
    if (answer === undefined || answer === 'gone') return Promise.reject(new TypeError('fetch failed'));
    return Promise.resolve(new Response(answer.body, { status: answer.status, headers: answer.headers ?? {} }));
  };
  await withTempFolder(async (folder) => {
    const files = (await projectOf(text)).filter(({ path }) => path === 'client.js');
    writeFiles(folder, { 'package.json': '{"type":"module"}', 'client.js': files[0]?.text ?? '' });
    const { createClient } = (await import(pathToFileURL(`${folder}/client.js`).href)) as {
      createClient: (options: object) => CalledClient;
    };
    await work(createClient({ baseUrl: 'http://host:1/', token: 'secret', fetch }));
  });
  return sent;
}

const emitted = '[{"event_type":"Paid","stream_id":"p","seq":7,"status":"success","fields":"{\\"amount\\":0.10}"}]';
const rejected =
  '[{"event_type":null,"stream_id":"p","seq":null,"status":"rejected","fields":"{\\"decision\\":\\"Pays\\"}"}]';

test('a command is sent with its key, and its events come back', async () => {
  const sent = await withClient(
    [{ status: 200, body: emitted, headers: { 'idempotent-replayed': 'true' } }],
    async (client) => {
      const result = await client.commands.Pay(
        { purse_id: 'p', amount: '0.10', ref: 2n ** 60n },
        { idempotencyKey: 'k', expectedSeq: 6 },
      );
      assert.equal(result, {
        outcome: 'emitted',
        replayed: true,
        events: [{ event_type: 'Paid', stream_id: 'p', seq: 7n, fields: { amount: 0.1 } }],
      });
    },
  );
  assert.equal(sent, [
    {
      url: 'http://host:1/api/aggregates/Purse/execute/Pay',
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'idempotency-key': 'k',
        'if-match': '"6"',
        authorization: 'Bearer secret',
      },
      body: '{"purse_id":"p","amount":"0.10","ref":"1152921504606846976"}',
    },
  ]);
});

test('a rejection is an outcome', async () => {
  await withClient([{ status: 200, body: rejected }], async (client) => {
    assert.equal(await client.commands.Pay({ purse_id: 'p', amount: '0.10' }), {
      outcome: 'rejected',
      replayed: false,
      rejection: { decision: 'Pays' },
    });
  });
});

test('every attempt of a command carries the same key', async () => {
  const busy = { status: 503, body: '{"error":"busy"}', headers: { 'retry-after': '0.01' } };
  const sent = await withClient(['gone', busy, { status: 200, body: emitted }], async (client) => {
    assert.is((await client.commands.Pay({ purse_id: 'p', amount: '1' })).outcome, 'emitted');
  });
  assert.is(sent.length, 3);
  assert.is(new Set(sent.map(({ headers }) => headers['idempotency-key'])).size, 1);
  assert.match(sent[0]?.headers['idempotency-key'] ?? '', /^[0-9a-f-]{36}$/);
});

test('a refusal is an error with its status, and is not sent again', async () => {
  const sent = await withClient(
    [{ status: 400, body: '{"error":"Pay: argument \'amount\' is missing"}' }],
    async (client) => {
      try {
        await client.commands.Pay({ purse_id: 'p' });
        assert.unreachable();
      } catch (error) {
        assert.equal(
          [(error as Error).message, (error as { status?: number }).status],
          ["Pay: argument 'amount' is missing", 400],
        );
      }
    },
  );
  assert.is(sent.length, 1);
});

test('numbers of tables stay exact, texts that look like them stay texts', async () => {
  const state =
    '[{"aggregate_id":"12.50","purse_id":"\\u2028 1e5","balance":999999999999.99,"moves":"9007199254740993"},{"aggregate_id":"q","purse_id":"q","balance":null,"moves":3}]';
  const sent = await withClient(
    [
      { status: 200, body: state },
      { status: 200, body: '[{"total":0.30,"amounts":[0.10,null]}]' },
    ],
    async (client) => {
      assert.equal(await client.state.Purse({ limit: 2, where: { balance: '1', limit: 'x' } }), [
        { aggregate_id: '12.50', purse_id: '\u2028 1e5', balance: '999999999999.99', moves: 9007199254740993n },
        { aggregate_id: 'q', purse_id: 'q', balance: null, moves: 3n },
      ]);
      assert.equal(await client.projections.Totals(), [{ total: '0.30', amounts: ['0.10', null] }]);
    },
  );
  assert.equal(
    sent.map(({ url }) => url),
    [
      'http://host:1/api/aggregates/Purse/state?limit=2&balance=1&.limit=x',
      'http://host:1/api/projections/Totals/query',
    ],
  );
});

test('events have their payload', async () => {
  const row =
    '{"event_id":"e","stream_type":"Purse","stream_id":"p","seq":1,"event_type":"Paid","occurred_at":"t","data":{"amount":0.1,"ref":"9007199254740993"},"global_position":1}';
  await withClient([{ status: 200, body: `[${row}]` }], async (client) => {
    assert.equal(await client.events.Purse({ after: 0 }), [
      {
        event_id: 'e',
        stream_type: 'Purse',
        stream_id: 'p',
        seq: 1n,
        event_type: 'Paid',
        occurred_at: 't',
        data: { amount: 0.1, ref: '9007199254740993' },
        global_position: 1n,
      },
    ]);
  });
});

test.run();
