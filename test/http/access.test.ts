/** `GET /api/access`: what the caller may do, and no name of what it may not. */
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from './sample-server.ts';

const test = suite('access');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const roles = {
  admin: ['*'],
  guest: ['read:Note$Agg', 'execute:Note.Write'],
  reader: ['read:Note$Agg', 'read:meta_*'],
  nobody: [],
};
const auth = {
  tokens: [
    ...Object.keys(roles).map((role) => ({ sha256: sha256(role), subject: role, roles: [role] })),
    { sha256: sha256('twisted'), subject: 'twisted', roles: ['reader'], claims: { level: 'high' } },
  ],
  roles,
};
const schema = `
CREATE CLAIM level INT;
CREATE AGGREGATE Note (note_id STRING KEY, author STRING, pin STRING AS LAST(data.pin))
  VISIBLE WHERE author = CURRENT_USER CLEAR WHERE author = CURRENT_USER;
CREATE COMMAND Write (note_id STRING, pin STRING SENSITIVE) ALLOW WHERE HAS_ROLE('guest') OR note_id = CURRENT_USER;
CREATE PROJECTION Levels VISIBLE WHERE CLAIM(level) = 3 AS SELECT note_id FROM Reg."Note$Agg";
CREATE EVENT Written (author STRING, pin STRING SENSITIVE);
CREATE DECISION Writing FOR Note ON COMMAND Write EMIT AS SELECT EVENT Written (author := CURRENT_USER, pin := :pin);
`;

let server: Awaited<ReturnType<typeof startSample>>;
test.before(async () => {
  server = await startSample({ services: true, settings: { auth } });
  const posted = await server.post('/api/lang/create', { lang: schema }, { Authorization: 'Bearer admin' });
  assert.is(posted.status, 201, await posted.text());
});
test.after(() => server.stop());

const get = (token: string, accept: string, path = '/api/access'): Promise<Response> =>
  server.get(path, { Accept: accept, Authorization: `Bearer ${token}` });

test('a caller without the right to read definitions learns of no other name, and of no condition', async () => {
  const answer = await get('guest', 'application/json');
  const state = { kind: 'state', name: 'Note$Agg', right: 'read:Note$Agg', granted: true, rows: 'some' };
  const command = { kind: 'command', name: 'Note.Write', right: 'execute:Note.Write', granted: true, rows: 'all' };
  assert.equal(
    [answer.status, await answer.json()],
    [
      200,
      [
        { ...state, condition: null, masked: null, cleared: 'pin' },
        { ...command, condition: null, masked: null, cleared: null },
      ],
    ],
  );
  assert.equal(await (await get('nobody', 'application/json')).json(), []);
});

test('a caller who may read definitions sees every row, granted or not, with the conditions', async () => {
  const text = await (await get('reader', 'text/csv')).text();
  assert.equal(
    text.split('\r\n').filter((line) => line.includes('Note')),
    [
      'state,Note$Agg,read:Note$Agg,true,some,author = CURRENT_USER,,pin',
      'events,Note$Events,read:Note$Events,false,some,author = CURRENT_USER,,data.pin',
      'commands,Note$Commands,read:Note$Commands,false,some,author = CURRENT_USER,data.pin,',
      "command,Note.Write,execute:Note.Write,false,some,HAS_ROLE('guest') OR note_id = CURRENT_USER,,",
    ],
  );
});

test('all rows and all values are shown to a caller with every right', async () => {
  const rows = (await (await get('admin', 'application/json')).json()) as Record<string, unknown>[];
  const state = rows.find(({ name }) => name === 'Note$Agg');
  assert.equal([state?.['granted'], state?.['rows'], state?.['masked'], state?.['cleared']], [true, 'all', null, null]);
});

test('no copy of it is kept, in any form, and it takes a page', async () => {
  for (const accept of ['application/json', 'text/csv', 'application/vnd.apache.arrow.stream', 'text/html']) {
    const answer = await get('reader', accept);
    const { headers } = answer;
    await answer.arrayBuffer();
    assert.equal([answer.status, headers.get('cache-control'), headers.get('etag')], [200, 'no-store', null], accept);
  }
  const page = await get('guest', 'application/json', '/api/access?limit=1&offset=1');
  assert.equal(
    ((await page.json()) as { name: string }[]).map(({ name }) => name),
    ['Note.Write'],
  );
});

test('a token whose claim has another type is refused where a clause compares the claim', async () => {
  const answer = await get('twisted', 'application/json');
  assert.is(answer.status, 401);
  assert.match(await answer.text(), /the claim 'level' of this token is no INT/);
});

test('it needs a token where the policy lets no anonymous caller in', async () => {
  const answer = await server.get('/api/access');
  await answer.arrayBuffer();
  assert.is(answer.status, 401);
});

test.run();
