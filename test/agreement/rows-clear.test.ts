/** CLEAR: SENSITIVE values of some rows in the clear, at the doors that show states, events and projections, and masked everywhere else. */
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from '../http/sample-server.ts';

const test = suite('values in the clear');
const roles = {
  reader: ['read:*', 'read:*$Commands', 'query', 'execute:*', 'inspect:*'],
  desk: [],
  clear: ['sensitive:read'],
  admin: ['*'],
};
const tokens = [
  { subject: 'root', roles: ['admin'] },
  { subject: 'pat', roles: ['reader'] },
  { subject: 'eve', roles: ['reader'] },
  { subject: 'dora', roles: ['reader', 'desk'] },
  { subject: 'carl', roles: ['reader', 'clear'] },
].map((one) => ({ ...one, sha256: createHash('sha256').update(one.subject).digest('hex') }));
const lang = `
CREATE AGGREGATE Card (card_id STRING KEY, owner STRING, mail STRING AS LAST(data.mail))
  CLEAR WHERE owner = CURRENT_USER OR HAS_ROLE('desk');
CREATE COMMAND Keep (card_id STRING, owner STRING, mail STRING SENSITIVE);
CREATE EVENT Kept (owner STRING, mail STRING SENSITIVE);
CREATE DECISION Keeping FOR Card ON COMMAND Keep EMIT AS SELECT EVENT Kept (owner := :owner, mail := :mail);
CREATE PROJECTION Mails CLEAR WHERE owner IN (SELECT c.owner FROM Reg."Card$Agg" c WHERE c.owner = CURRENT_USER) AS
  SELECT card_id, owner, mail FROM Reg."Card$Agg";`;

const mails: Readonly<Record<string, string>> = { pat: 'mail-of-pat', eve: 'mail-of-eve' };
const everything = Object.values(mails);
let server: Awaited<ReturnType<typeof startSample>>;
const as = (name: string): Record<string, string> => ({ Authorization: `Bearer ${name}` });
let end = 0;

test.before(async () => {
  server = await startSample({ services: true, settings: { auth: { tokens, roles } } });
  const made = await server.post('/api/lang/create', { lang }, as('root'));
  assert.is(made.status, 201, await made.text());
  for (const [owner, mail] of Object.entries(mails)) {
    const kept = { card_id: `card-${owner}`, owner, mail };
    await server.post('/api/aggregates/Card/execute/Keep', kept, { ...as('root'), 'Idempotency-Key': owner });
  }
  end = server.engine.store.turns.position().event;
});
test.after(() => server.stop());

/** The mails that an answer contains. */
async function mailsIn(who: string, path: string, accept: string, body?: object): Promise<readonly string[]> {
  const headers = { ...as(who), Accept: accept };
  const answer = await (body === undefined ? server.get(path, headers) : server.post(path, body, headers));
  const bytes = Buffer.from(await answer.arrayBuffer());
  assert.is(answer.status, 200, bytes.toString());
  return everything.filter((mail) => bytes.includes(mail));
}

const seen: Readonly<Record<string, readonly string[]>> = {
  pat: ['mail-of-pat'],
  eve: ['mail-of-eve'],
  dora: everything,
  carl: everything,
};
const forms = ['application/json', 'text/csv', 'application/vnd.apache.arrow.stream', 'text/html'];
const [json = ''] = forms;

for (const who of Object.keys(seen)) {
  const ofRow = (mail: readonly string[] | undefined): readonly string[] => mail ?? [];
  test(`${who}: states, events and projections`, async () => {
    for (const accept of forms) {
      for (const path of ['/api/aggregates/Card', '/api/aggregates/Card/events', '/api/events'])
        assert.equal(await mailsIn(who, path, accept), ofRow(seen[who]), `${path} ${accept}`);
      // The projection has a clause of its own, which knows no role.
      const own = who === 'dora' ? [] : ofRow(seen[who]);
      assert.equal(await mailsIn(who, '/api/projections/Mails/query', accept), own, accept);
      const one = ofRow(seen[who]).filter((mail) => mail === 'mail-of-eve');
      assert.equal(await mailsIn(who, '/api/aggregates/Card/card-eve', accept), one, accept);
    }
    for (const accept of ['application/x-ndjson', 'text/event-stream', 'application/vnd.apache.arrow.stream']) {
      const path = `/api/aggregates/Card/events?follow=true&until=${end}`;
      assert.equal(await mailsIn(who, path, accept), ofRow(seen[who]), accept);
    }
    for (const sql of [
      'SELECT card_id, mail FROM Reg."Card$Agg"',
      'SELECT data.mail AS mail FROM Reg."Card$Events"',
      'SELECT c.mail FROM Reg."Card$Agg" c JOIN Reg.Mails m ON m.card_id = c.card_id',
    ])
      assert.equal(await mailsIn(who, '/api/query', json, { sql }), ofRow(seen[who]), sql);
  });
}

test('nowhere else', async () => {
  const keep = { card_id: 'card-pat', owner: 'pat', mail: 'mail-of-pat' };
  for (const [path, body] of [
    ['/api/aggregates/Card/commands'],
    ['/api/aggregates/Card/execute/Keep', keep],
    ['/api/inspect', { decision: 'Keeping', commands: [keep] }],
    [`/api/aggregates/Card?as_of=${end}`],
    ['/api/query', { sql: `SELECT mail FROM Reg."Card$Agg" AS OF POSITION ${end}` }],
    ['/api/query', { sql: 'SELECT UPPER(mail) AS mail FROM Reg."Card$Agg"' }],
  ] as const)
    assert.equal(await mailsIn('pat', path, json, body), [], `${path} ${JSON.stringify(body)}`);
  for (const path of ['/api/aggregates/Card?mail=mail-of-pat', '/api/aggregates/Card?order=mail'])
    assert.is((await server.get(path, { ...as('pat'), Accept: json })).status, 400, path);
});

test('a tag of one caller is none of another', async () => {
  const path = '/api/aggregates/Card/card-pat';
  const tag = (await server.get(path, as('pat'))).headers.get('etag') ?? '';
  const statusOf = async (who: string): Promise<number> =>
    (await server.get(path, { ...as(who), 'If-None-Match': tag })).status;
  assert.equal([await statusOf('pat'), await statusOf('eve'), await statusOf('dora')], [304, 200, 200]);
});

test.run();
