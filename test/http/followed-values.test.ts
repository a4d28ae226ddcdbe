/** The values of followed events are written by column, and are the same bytes as those of `/events`, which writes them by row. */
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from './sample-server.ts';

const test = suite('followed values');
const token = (text: string, role: string) => ({
  sha256: createHash('sha256').update(text).digest('hex'),
  subject: text,
  roles: [role],
});
const auth = {
  tokens: [token('all', 'all'), token('masked', 'masked')],
  roles: { all: ['*', 'sensitive:read', 'create'], masked: ['read:*'] },
};
const server = await startSample({ services: true, settings: { auth } });
test.after(server.stop);
const bearer = (who: string): Record<string, string> => ({ Authorization: `Bearer ${who}` });

const types: readonly (readonly [field: string, type: string, values: readonly unknown[]])[] = [
  ['s', 'STRING', ['', 'plain', 'é "quoted" \\ \u0001\n\t\u007f\u2028 😀', 'x'.repeat(300)]],
  ['v', 'VARCHAR(4)', ['', 'abcd']],
  ['u', 'UUID', ['0198a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b']],
  ['i', 'INT', [0, -1, 2147483647, -2147483648]],
  ['b', 'BIGINT', ['0', '-9007199254740991', '9007199254740993', '-9223372036854775808', '1000000000', '999999999']],
  ['d', 'DECIMAL(12,3)', ['0', '-0.001', '12.5', '999999999.999']],
  ['whole', 'DECIMAL(18,0)', ['123456789012345678', '-5']],
  ['f', 'DOUBLE', [0, -1.5, 1e300, 0.1, 123456789.5]],
  ['t', 'BOOLEAN', [true, false]],
  ['day', 'DATE', ['0001-01-01', '1969-12-31', '9999-12-31']],
  [
    'at',
    'TIMESTAMP',
    ['0001-01-01T00:00:00.000001Z', '2026-03-01T23:59:59.999999Z', '9999-12-31T23:59:59Z', '1970-01-01'],
  ],
  ['j', 'JSON', [{ a: [1, 'é', null] }, [], 'text']],
  ['pin', 'STRING SENSITIVE', ['1234']],
  ['sum', 'DECIMAL(6,2) SENSITIVE', ['1.50']],
];
const list = (suffix: string): string => types.map(([name, type]) => `${name} ${type}${suffix}`).join(', ');
const schema = `
CREATE AGGREGATE Thing;
CREATE COMMAND Note (thing STRING, ${list(' NULL')});
CREATE EVENT Noted (${list('')});
CREATE DECISION Notes FOR Thing ON COMMAND Note EMIT AS SELECT EVENT Noted (${types.map(([name]) => `${name} := :${name}`).join(', ')});
CREATE COMMAND Cut (thing STRING, d DECIMAL(4,1));
CREATE EVENT Cutting (d DECIMAL(4,1), other STRING);
CREATE DECISION Cuts FOR Thing ON COMMAND Cut EMIT AS SELECT EVENT Cutting (d := :d);
CREATE COMMAND Touch (thing STRING);
CREATE EVENT Touched ();
CREATE DECISION Touches FOR Thing ON COMMAND Touch EMIT AS SELECT EVENT Touched ();`;

async function execute(command: string, body: object): Promise<void> {
  const answer = await server.post(`/api/aggregates/Thing/execute/${command}`, body, bearer('all'));
  assert.is(answer.status, 200, await answer.clone().text());
}

test.before(async () => {
  const answer = await server.post('/api/lang/create', { lang: schema }, bearer('all'));
  assert.is(answer.status, 201, await answer.clone().text());
  const most = Math.max(...types.map(([, , values]) => values.length));
  for (let row = 0; row < most; row += 1) {
    await execute('Note', {
      thing: `t"${row}`,
      ...Object.fromEntries(types.map(([name, , values]) => [name, values[row % values.length]])),
    });
    await execute('Cut', { thing: 't', d: '12.5' });
    await execute('Touch', { thing: 't' });
    // Nothing but NULL.
    await execute('Note', { thing: 'n' });
  }
  // Another aggregate between them.
  assert.is((await server.post('/api/aggregates/Dock/execute/OpenDock', { params: 'D' }, bearer('all'))).status, 200);
  await execute('Touch', { thing: 'last' });
});

for (const who of ['all', 'masked'])
  for (const path of [
    '/api/aggregates/Thing/events?',
    '/api/aggregates/Thing/events/t?',
    '/api/aggregates/Thing/events?select=data,global_position&',
    '/api/aggregates/Thing/events?select=global_position,tags,data&',
    '/api/aggregates/Thing/events?select=occurred_at,global_position&seq[gt]=2&',
    '/api/events?',
  ])
    test(`${path} as ${who}`, async () => {
      const page = await server.get(`${path}after=0`, { Accept: 'application/json', ...bearer(who) });
      assert.is(page.status, 200);
      const rows = (await page.text()).slice(1, -2).split(',\n');
      const end = server.engine.store.turns.position().event;
      const [lines, blocks] = await Promise.all(
        ['application/x-ndjson', 'text/event-stream'].map(async (Accept) =>
          (await server.get(`${path}follow=true&until=${end}`, { Accept, ...bearer(who) })).text(),
        ),
      );
      assert.equal(lines?.trim().split('\n').slice(1, -1), rows);
      const datas = blocks?.split('\n\n').flatMap((block) => /^id: \d+\ndata: ([^\n]*)$/.exec(block)?.[1] ?? []);
      assert.equal(datas, rows);
    });

test('a limit ends in the middle of a page', async () => {
  const lines = await server.get('/api/events?follow=true&limit=3', {
    Accept: 'application/x-ndjson',
    ...bearer('all'),
  });
  const said = (await lines.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { global_position: number });
  assert.equal(
    said.map(({ global_position: at }) => at),
    [0, 1, 2, 3, 3],
  );
});

test.run();
