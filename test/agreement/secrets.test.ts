/**
 * A SENSITIVE value is planted in each operation and looked for at each door, with and without the right `sensitive:read`. An operation and a
 * door join by a line.
 */
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { renderOutcome } from '../../cli/output/outcome-text.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { messageOf } from '../../runtime/delivery/webhook/cloud-event.ts';
import { openSession } from '../../server/session/open-session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import { startSample } from '../http/sample-server.ts';

const test = suite('planted secrets');
const secret = 'SECRET-4711';
const all = ['read:*', 'read:meta_*', 'read:*$Commands', 'execute:*', 'inspect:*', 'subscribe:*', 'manage:*', 'query'];
const roles = { admin: ['*'], blind: [...all, 'record'], clear: [...all, 'record', 'sensitive:read'] };
type Role = keyof typeof roles;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const auth = {
  tokens: Object.keys(roles).map((role) => ({ sha256: sha256(role), subject: role, roles: [role] })),
  roles,
};

/** `Sealing` reads nothing that is SENSITIVE, so that every caller may inspect it. */
const schema = `
CREATE AGGREGATE Vault (vault_id STRING KEY, pin STRING AS LAST(data.pin), times BIGINT AS COUNT(*));
CREATE COMMAND Lock (vault_id STRING, pin STRING SENSITIVE, most INT);
CREATE EVENT Locked (pin STRING SENSITIVE, late INT);
CREATE DECISION Locking FOR Vault ON COMMAND Lock
STATE AS SELECT pin AS known, times FROM Reg."Vault$Agg" WHERE aggregate_id = :vault_id
EMIT AS SELECT EVENT Locked (pin := :pin, late := :most) WHERE COALESCE(times, 0) < :most;
CREATE COMMAND Seal (vault_id STRING, pin STRING SENSITIVE, most INT);
CREATE DECISION Sealing FOR Vault ON COMMAND Seal
STATE AS SELECT times FROM Reg."Vault$Agg" WHERE aggregate_id = :vault_id
EMIT AS SELECT EVENT Locked (pin := :pin, late := :most) WHERE COALESCE(times, 0) < :most;
CREATE PROJECTION Pins AS SELECT stream_id AS vault, LAST(data.pin) AS pin FROM Reg."Vault$Events" GROUP BY stream_id;
CREATE SUBSCRIPTION Told AS SELECT stream_id AS vault, data.pin AS pin FROM Reg."Vault$Events";`;

let server: Awaited<ReturnType<typeof startSample>>;
/** Position of the last event that was there before any question. */
let end = 0;

async function send(role: Role, path: string, accept: string, body?: object | string, headers: object = {}) {
  const asked = { ...headers, Authorization: `Bearer ${role}`, Accept: accept };
  const answer = body === undefined ? await server.get(path, asked) : await server.post(path, body, asked);
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.ok(answer.status < 300, `${path} ${answer.status} ${bytes.toString()}`);
  return bytes;
}
const json = 'application/json';
const lock = (vault: string, most: number): object => ({ vault_id: vault, pin: secret, most });

test.before(async () => {
  server = await startSample({ services: true, settings: { auth } });
  await send('admin', '/api/lang/create', json, { lang: schema });
  await send('admin', '/api/aggregates/Vault/execute/Lock', json, lock('kept', 5), { 'Idempotency-Key': 'emitted' });
  await send('admin', '/api/aggregates/Vault/execute/Lock', json, lock('kept', 1), { 'Idempotency-Key': 'rejected' });
  await send('admin', '/api/inspect', json, { decision: 'Sealing', commands: [lock('kept', 5)], into: 'made' });
  await send('admin', '/api/inspect', json, { projection: 'Pins', into: 'pins' });
  end = server.engine.store.turns.position().event;
});
test.after(() => server.stop());

let asked = 0;
const execute = '/api/aggregates/Vault/execute/Lock';
const inspect = (body: object) => ({ path: () => '/api/inspect', body: () => body });
const tables = [json, 'text/csv', 'application/vnd.apache.arrow.stream', 'text/html'];
const plain = tables.slice(0, 3);
const streams = ['application/x-ndjson', 'text/event-stream', 'application/vnd.apache.arrow.stream'];
const commands = [lock('kept', 5)];

interface Operation {
  readonly path: () => string;
  readonly body?: () => object | string;
  readonly headers?: object;
}

/** Each with the forms of its answers. `never`: the value is shown to no caller. */
const operations: Readonly<Record<string, readonly [Operation, forms: readonly string[], never?: 'never']>> = {
  command: [{ path: () => execute, body: () => lock(`v${++asked}`, 5) }, plain],
  'repeated command': [
    { path: () => execute, body: () => lock('kept', 5), headers: { 'Idempotency-Key': 'emitted' } },
    plain,
  ],
  rejection: [{ path: () => execute, body: () => lock('kept', 1) }, plain],
  'explained rejection': [{ path: () => `${execute}?explain=true`, body: () => lock('kept', 1) }, plain],
  'repeated rejection': [
    { path: () => execute, body: () => lock('kept', 1), headers: { 'Idempotency-Key': 'rejected' } },
    plain,
    'never',
  ],
  'many commands': [
    {
      path: () => execute,
      body: () => `${JSON.stringify(lock(`v${++asked}`, 5))}\n${JSON.stringify(lock('kept', 1))}\n`,
      headers: { 'Content-Type': 'application/x-ndjson' },
    },
    plain,
  ],
  state: [{ path: () => '/api/aggregates/Vault/kept' }, tables],
  events: [{ path: () => '/api/aggregates/Vault/events' }, tables],
  'sorted events': [{ path: () => '/api/aggregates/Vault/events?order=seq' }, tables],
  'events of a stream': [{ path: () => '/api/aggregates/Vault/events/kept' }, tables],
  'all events': [{ path: () => '/api/events' }, tables],
  'events of then': [{ path: () => `/api/aggregates/Vault/events?as_of=${end}` }, tables],
  projection: [{ path: () => '/api/projections/Pins/query' }, tables],
  'projection of then': [{ path: () => `/api/projections/Pins/query?as_of=${end}` }, tables],
  console: [{ path: () => '/api/query', body: () => ({ sql: 'SELECT pin FROM Reg.Pins' }) }, plain],
  'console of then': [
    { path: () => '/api/query', body: () => ({ sql: `SELECT pin FROM Reg.Pins AS OF POSITION ${end}` }) },
    plain,
  ],
  'inspected decision': [inspect({ decision: 'Sealing', commands }), plain],
  'inspected rejection': [inspect({ decision: 'Sealing', commands: [lock('kept', 1)] }), plain, 'never'],
  'inspected branches': [inspect({ decision: 'Sealing', commands, branches: true }), [json]],
  'inspected then': [inspect({ decision: 'Sealing', commands, as_of: 0 }), plain],
  'inspected projection': [inspect({ projection: 'Pins' }), plain],
  'recorded output': [{ path: () => '/api/aggregates/Vault/inspect/output/made' }, tables],
  'recorded input': [{ path: () => '/api/aggregates/Vault/inspect/input/made' }, tables],
  'recorded projection': [{ path: () => '/api/aggregates/Vault/inspect/pins' }, tables],
  'recorded commands': [{ path: () => '/api/aggregates/Vault/commands' }, tables, 'never'],
  archive: [{ path: () => '/api/archive' }, ['application/x-ndjson']],
  'followed events': [{ path: () => `/api/aggregates/Vault/events?follow=true&until=${end}` }, streams],
  'all followed events': [{ path: () => `/api/events?follow=true&until=${end}` }, streams],
  'standing of a subscription': [{ path: () => '/api/subscriptions/Told' }, tables, 'never'],
  definitions: [{ path: () => '/api/lang/export' }, ['text/plain'], 'never'],
  openapi: [{ path: () => '/openapi.json' }, [json], 'never'],
};

for (const [name, [{ path, body, headers }, forms, never]] of Object.entries(operations))
  for (const form of forms)
    test(`${name} as ${form}`, async () => {
      const seen: Record<string, boolean> = {};
      for (const role of ['blind', 'clear'] as const)
        seen[role] = (await send(role, path(), form, body?.(), headers)).includes(secret);
      assert.equal(seen, { blind: false, clear: never === undefined });
    });

for (const form of [json, 'application/vnd.apache.arrow.stream'])
  test(`rows handed out as ${form}`, async () => {
    for (const role of ['blind', 'clear'] as const) {
      const body = { max: 1, wait_seconds: 0 };
      const taken = await send(role, '/api/subscriptions/Told/next', form, body);
      assert.is(taken.includes(secret), role === 'clear');
      await send('admin', '/api/aggregates/Vault/execute/Lock', json, lock(`told${++asked}`, 5));
    }
  });

test('a decision that reads a secret is inspected with the right alone', async () => {
  const body = JSON.stringify({ decision: 'Locking', commands });
  const status = async (role: Role): Promise<number> =>
    (await server.post('/api/inspect', body, { Authorization: `Bearer ${role}` })).status;
  assert.equal([await status('blind'), await status('clear')], [403, 200]);
});

test('a webhook', () => {
  const columns = [{ name: 'pin', type: { kind: 'STRING' }, nullable: true, sensitive: true }] as const;
  const facts = { position: 1, event: 'e', type: 'Locked', stream: 's', at: 0n, key: null };
  const { body } = messageOf({ name: 'Told', columns }, { ...facts, values: [secret] }, {});
  assert.equal([body.includes(1), Buffer.from(body).includes(secret)], [false, false]);
});

/** Statements of a session, whose user never holds the right. */
const statements = `
EXECUTE Lock(vault_id := 'kept', pin := 'SECRET-' || '4711', most := 5);
EXECUTE Lock(vault_id := 'kept', pin := 'SECRET-' || '4711', most := 1);
EXECUTE Lock(vault_id := 'kept', pin := 'SECRET-' || '4711', most := 1) WITH (command_id = 'c');
EXECUTE Lock(vault_id := 'kept', pin := 'SECRET-' || '4711', most := 1) WITH (command_id = 'c');
SELECT * FROM Reg."Vault$Agg";
SELECT * FROM Reg."Vault$Events";
SELECT * FROM Reg."Vault$Events" AS OF POSITION 1;
SELECT * FROM Reg."Vault$Commands";
SELECT * FROM Reg.Pins;
CREATE TABLE given AS SELECT 'kept' AS vault_id, pin, 5 AS most FROM Reg.Pins;
SELECT * FROM given;
INSPECT DECISION Locking FROM given INTO made;
SELECT * FROM made;
SELECT * FROM made__branches;
INSPECT DECISION Locking FROM Reg."Vault$Commands" INTO again AS OF EACH;
SELECT * FROM again;
INSPECT PROJECTION Pins FROM Reg."Vault$Events" INTO pins;
SELECT * FROM pins;
DESCRIBE DECISION Locking;
DESCRIBE PROJECTION Pins;
EXPLAIN SELECT pin FROM Reg.Pins;
VALIDATE REG;
EXPORT REG;`;

test('a session, as text and as JSON', async () => {
  const session = await openSession({ store: await openMemoryStore(), version: '0.0.0' });
  const lines: string[] = [];
  for await (const outcome of session.run({ name: 'secrets', text: schema + statements })) {
    assert.is.not(outcome.kind, 'error', outcomeJson(outcome));
    lines.push(
      outcomeJson(outcome),
      renderOutcome(outcome, { width: 10_000, colour: false, terminal: false, expanded: false }),
    );
  }
  await session.close();
  assert.equal(
    lines.filter((line) => line.includes(secret)),
    [],
  );
});

test.run();
