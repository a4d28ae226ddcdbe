/** The console under attack, on a read model in its own thread, as in a server. */
import { existsSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { attacks } from './console-attacks.ts';
import { harmless } from './console-harmless.ts';
import { startSample } from './sample-server.ts';

const test = suite('console');
const token = (name: string): string => createHash('sha256').update(name).digest('hex');
const roles = {
  analyst: ['query', 'read:*', 'read:meta_*'],
  fleet: ['query', 'read:Fleet'],
  introspect: ['query', 'read:meta_commands'],
  cleared: ['query', 'read:*', 'sensitive:read'],
  reader: ['read:*'],
};
const server = await startSample({
  services: true,
  readModel: 'worker',
  limits: { consoleBytes: 1024 * 1024 },
  settings: {
    auth: { tokens: Object.keys(roles).map((role) => ({ sha256: token(role), subject: role, roles: [role] })), roles },
  },
});
test.after(() => server.stop());

async function ask(sql: string, role = 'analyst'): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await server.post('/api/query', { sql }, { Authorization: `Bearer ${role}` });
  return { status: answer.status, text: await answer.text() };
}

await server.append(300, 10);
const { engine } = server;
await server.engine.execute({
  command: 'RegisterBike',
  arguments: new Map<string, string>([
    ['bike_id', 'B-1'],
    ['model', 'Roadster'],
    ['price', '1.00'],
    ['code', 'secret'],
  ]),
});

/** Everything that an attack could have changed. */
async function traces(): Promise<unknown> {
  const { text } = await ask('SELECT COUNT(*) AS events, MAX(global_position) AS last FROM Reg."Bike$Events"');
  return [
    text,
    engine.store.turns.position().entry,
    engine.registryVersion(),
    engine.domain().exportText,
    (await ask('SELECT name FROM Reg.meta_inspections')).text,
  ];
}
const before = await traces();
/** Each of these ends the read model's thread, which takes a while to start again from the sources. */
const longOnes = process.env['SCHEMAC_TEST_LONG'] === '1' ? Infinity : 2;

let long = 0;
for (const { what, sql, status, long: isLong } of attacks) {
  if (isLong === true && ++long > longOnes) continue;
  test(`attack, ${what}: ${sql.slice(0, 70)}`, async () => {
    const answer = await ask(sql);
    assert.is(answer.status, status, answer.text.slice(0, 300));
    assert.not.match(answer.text, /secret"|node:|\.ts:|\bat .+:\d+:\d+\)/i);
    if (!sql.includes('sqlite')) assert.not.match(answer.text, /sqlite/i);
    if (status === 200) return;
    assert.equal(Object.keys(JSON.parse(answer.text) as object), ['error']);
    assert.ok(answer.text.length < 16_384, `${answer.text.length} characters`);
    // A limit is of the whole query.
    if (status === 400) assert.match(answer.text, /^\{"error":"(?:\d+:\d+ |the query )/);
  });
}

const corpus = new URL('../../../shared/corpora/console-attacks.json', import.meta.url);
if (existsSync(corpus)) {
  interface Known {
    readonly id: string;
    readonly sql: string | { readonly starts: string; readonly length: number };
    readonly statuses: readonly number[];
    readonly note?: string;
  }
  for (const { id, sql, statuses, note } of JSON.parse(readFileSync(corpus, 'utf8')) as readonly Known[]) {
    if (note?.includes('1.2 s') === true && longOnes !== Infinity) continue;
    test(`known attack ${id}`, async () => {
      const text = typeof sql === 'string' ? sql : grown(sql.starts, sql.length);
      const answer = await ask(text);
      assert.ok(statuses.includes(answer.status), `${answer.status} ${answer.text.slice(0, 300)}`);
    });
  }
}

/** `SELECT ` followed by the repeated pattern, up to this length. */
function grown(starts: string, length: number): string {
  const units = ['(SELECT ', '(', 'NOT ', '- ', '7,', '1=0 OR '];
  const unit = units.find(
    (each) => starts.endsWith(each.repeat(2).slice(-each.length)) && starts.includes(each + each),
  );
  return (starts + (unit ?? '1,').repeat(length)).slice(0, length);
}

test('the queries above wrote, changed and left nothing', async () => {
  assert.equal(await traces(), before);
  assert.equal(
    server.lines.filter((line) => line['message'] === 'request failed'),
    [],
  );
});

for (const sql of harmless) {
  test(`harmless: ${sql.slice(0, 70)}`, async () => {
    const { status, text } = await ask(sql);
    assert.is(status, 200, text);
    assert.type(JSON.parse(text), 'object');
  });
}

test('the lists have at least 60 harmless queries and 250 attacks', () => {
  assert.ok(harmless.length >= 60, String(harmless.length));
  assert.ok(attacks.length >= 250, String(attacks.length));
});

/** A caller with the right to only the projection sees its rows, and nothing of the relations below it. */
const rights: readonly (readonly [role: string, sql: string, status: number])[] = [
  ['reader', 'SELECT 1 AS a', 403],
  ['fleet', 'SELECT 1 AS a', 200],
  ['fleet', 'SELECT * FROM Reg.Fleet', 200],
  ['fleet', 'SELECT * FROM Reg."Bike$Agg"', 400],
  ['fleet', 'SELECT * FROM Reg."bike$agg"', 400],
  ['fleet', 'SELECT f.model FROM Reg.Fleet AS f JOIN Reg."Bike$Events" AS e ON TRUE', 400],
  ['fleet', 'WITH Fleet AS (SELECT * FROM Reg."Bike$Agg") SELECT model FROM Fleet', 400],
  ['fleet', 'WITH x AS (SELECT model FROM Reg."Bike$Agg") SELECT 1 AS a', 400],
  ['fleet', 'SELECT (SELECT COUNT(*) FROM Reg."Bike$Events") AS a', 400],
  ['fleet', 'SELECT 1 AS a WHERE EXISTS (SELECT 1 AS q FROM Reg."Bike$Agg")', 400],
  ['fleet', 'SELECT model FROM Reg.Fleet ORDER BY (SELECT COUNT(*) FROM Reg."Bike$Agg")', 400],
  ['fleet', 'SELECT model FROM Reg.Fleet UNION ALL SELECT model FROM Reg."Bike$Agg"', 400],
  ['fleet', 'SELECT model FROM Reg.Fleet WHERE model IN (SELECT model FROM Reg."Bike$Agg")', 400],
  ['fleet', 'SELECT 1 AS a FROM Reg.Fleet WHERE FALSE AND 1 = (SELECT COUNT(*) FROM Reg."Dock$Agg")', 400],
  ['fleet', 'SELECT name FROM Reg.meta_commands', 400],
  ['fleet', 'SELECT name FROM Reg.meta_inspections', 400],
  ['introspect', 'SELECT name FROM Reg.meta_commands', 200],
  ['introspect', 'SELECT name FROM Reg.meta_command_fields', 400],
  ['introspect', 'SELECT field_name FROM Reg.meta_command_fields', 400],
  ['introspect', 'SELECT * FROM Reg.Fleet', 400],
  ['cleared', 'SELECT name FROM Reg.meta_commands', 400],
  ['cleared', 'SELECT model FROM Reg."Bike$Agg" WHERE code = \'secret\'', 200],
];
for (const [role, sql, status] of rights) {
  test(`${role}: ${sql}`, async () => {
    const answer = await ask(sql, role);
    assert.is(answer.status, status, answer.text);
  });
}

/** A relation without the right is answered like an unknown one, and no message contains a name from it. */
const unnamed: readonly (readonly [role: string, sql: string, error: string])[] = [
  ['fleet', 'SELECT * FROM Reg.Nope', "1:19 there is no relation 'Nope'; there is Fleet (E0206)"],
  ['fleet', 'SELECT nope FROM Reg."Bike$Agg"', `1:22 there is no relation 'Bike$Agg'; there is Fleet (E0206)`],
  ['fleet', 'SELECT model FROM Reg."Bike$Agg"', `1:23 there is no relation 'Bike$Agg'; there is Fleet (E0206)`],
  [
    'fleet',
    'SELECT data.nope FROM Reg."bike$events"',
    `1:27 there is no relation 'bike$events'; there is Fleet (E0206)`,
  ],
  [
    'fleet',
    'SELECT x.nope FROM Reg.Fleet, Reg."Bike$Agg" AS x',
    `1:35 there is no relation 'Bike$Agg'; there is Fleet (E0206)`,
  ],
  ['fleet', 'SELECT 1 AS a FROM Bike$Agg', "1:20 there is no relation 'Bike$Agg' (E0206)"],
  ['fleet', 'SELECT * FROM Reg.meta_commands', "1:19 there is no relation 'meta_commands'; there is Fleet (E0206)"],
  ['fleet', 'SELECT nope FROM Reg.Fleet', "1:8 there is no column 'nope' here; there is model, bikes (E0203)"],
  ['introspect', 'SELECT * FROM Reg.Fleet', "1:19 there is no relation 'Fleet' (E0206)"],
  ['introspect', 'SELECT * FROM Reg.Fleets', "1:19 there is no relation 'Fleets' (E0206)"],
];
for (const [role, sql, error] of unnamed) {
  test(`${role} learns nothing about: ${sql}`, async () => {
    const { status, text } = await ask(sql, role);
    assert.equal([status, JSON.parse(text)], [400, { error }]);
  });
}

test('a query without the right to its relation is in the audit log', async () => {
  const denied = (): readonly unknown[] =>
    server.lines
      .filter(({ message, path }) => message === 'audit' && path === '/api/query')
      .map((line) => line['denied']);
  const before = denied().length;
  await ask('SELECT * FROM Reg.Nope', 'fleet');
  await ask('SELECT * FROM Reg."Bike$Agg"', 'fleet');
  assert.equal(denied().slice(before), ['read:Bike$Agg']);
});

test('sensitive values are shown to callers with the right, and masked for others', async () => {
  const sql = 'SELECT code FROM Reg."Bike$Agg" WHERE aggregate_id = \'B-1\'';
  assert.equal(
    [(await ask(sql)).text, (await ask(sql, 'cleared')).text],
    ['[{"code":"****"}]\n', '[{"code":"secret"}]\n'],
  );
});

test.run();
