/** A rejection shows the state that it read only to who may read that, at every door with rights. A door is a line. */
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AuthPolicy } from '../../server/http/auth/policy.ts';
import { startSample } from '../http/sample-server.ts';

const test = suite('rejections for callers');
const roles = {
  outsider: ['execute:Bike.RentBike', 'inspect:Rent', 'read:Bike$Commands'],
  reader: ['execute:Bike.RentBike', 'inspect:Rent', 'read:Bike$Commands', 'read:Bike$Agg'],
};
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const policy: AuthPolicy = {
  tokens: Object.keys(roles).map((role) => ({ sha256: sha256(role), subject: role, roles: [role] })),
  roles,
};
let server: Awaited<ReturnType<typeof startSample>>;

test.before(async () => {
  server = await startSample({ services: true, settings: { auth: policy } });
  await send('reader', '/api/aggregates/Bike/execute/RentBike', rent, { 'Idempotency-Key': 'kept' });
});
test.after(() => server.stop());

const rent = { bike_id: 'B-1', rider: 'bo' };

async function send(role: string, path: string, body?: object | string, headers: object = {}): Promise<string> {
  const asked = { ...headers, Authorization: `Bearer ${role}`, Accept: 'application/json' };
  const answer = body === undefined ? await server.get(path, asked) : await server.post(path, body, asked);
  const text = await answer.text();
  assert.is(answer.status, 200, text);
  return text;
}

const lines = { 'Content-Type': 'application/x-ndjson' };
/** Each gives an answer that has one rejection, as JSON text in the column of that name. */
const doors: Readonly<Record<string, readonly [column: string, ask: (role: string) => Promise<string>]>> = {
  command: ['fields', (role) => send(role, '/api/aggregates/Bike/execute/RentBike', rent)],
  'repeated command': [
    'fields',
    (role) => send(role, '/api/aggregates/Bike/execute/RentBike', rent, { 'Idempotency-Key': 'kept' }),
  ],
  'explained command': ['fields', (role) => send(role, '/api/aggregates/Bike/execute/RentBike?explain=true', rent)],
  'many commands': [
    'fields',
    (role) => send(role, '/api/aggregates/Bike/execute/RentBike', `${JSON.stringify(rent)}\n`, lines),
  ],
  inspection: ['rejection', (role) => send(role, '/api/inspect', { decision: 'Rent', commands: [rent] })],
  'inspection of then': [
    'rejection',
    (role) => send(role, '/api/inspect', { decision: 'Rent', commands: [rent], as_of: 0 }),
  ],
  'recorded commands': ['rejection', (role) => send(role, '/api/aggregates/Bike/commands?outcome=rejected')],
};

for (const [door, [column, ask]] of Object.entries(doors))
  test(door, async () => {
    const rejection = async (role: string): Promise<Record<string, unknown>> => {
      const [row] = JSON.parse(`[${(await ask(role)).trim().replace(/^\[|\]$/g, '')}]`) as Record<string, string>[];
      return JSON.parse(row?.[column] ?? '') as Record<string, unknown>;
    };
    const { guards, ...rest } = await rejection('reader');
    assert.equal(rest, { decision: 'Rent', state: { current_model: null }, command: rent });
    const hidden = await rejection('outsider');
    assert.equal(
      JSON.stringify(hidden),
      JSON.stringify({ decision: 'Rent', guards, command: rent }).replace(
        '"value":false,"operands":{"current_model":null}',
        '"masked":true',
      ),
    );
  });

test('a filter does not tell it either', async () => {
  const found = (role: string): Promise<string> =>
    send(
      role,
      `/api/aggregates/Bike/commands?rejection[like]=${encodeURIComponent('%current_model":null%')}&select=entry`,
    );
  assert.equal([(await found('outsider')).trim(), (await found('reader')).includes('entry')], ['[]', true]);
});

test.run();
