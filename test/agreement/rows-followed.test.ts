/** Followers get the events of visible streams and a sign for each that is taken from them, and end when a clause or its subquery is another. */
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from '../http/sample-server.ts';

const test = suite('followed rows of callers');
const token = (name: string): string => createHash('sha256').update(name).digest('hex');
const roles = { reader: ['read:*'], whole: ['read:*', 'rows:all'], admin: ['*'] };
const auth = {
  tokens: [
    { sha256: token('admin'), subject: 'root', roles: ['admin'] },
    { sha256: token('will'), subject: 'will', roles: ['whole'] },
    { sha256: token('pat'), subject: 'pat', roles: ['reader'] },
    { sha256: token('mel'), subject: 'mel', roles: ['reader'] },
  ],
  roles,
};
const lang = `
CREATE AGGREGATE Team (team_id STRING KEY, member STRING);
CREATE COMMAND Enlist (team_id STRING, member STRING);
CREATE EVENT Enlisted (member STRING);
CREATE DECISION Enlisting FOR Team ON COMMAND Enlist EMIT AS SELECT EVENT Enlisted (member := :member);
CREATE AGGREGATE Post (post_id STRING KEY, state STRING) VISIBLE WHERE state = 'open';
CREATE COMMAND Publish (post_id STRING, state STRING);
CREATE EVENT Published (state STRING);
CREATE DECISION Publishing FOR Post ON COMMAND Publish EMIT AS SELECT EVENT Published (state := :state);
CREATE AGGREGATE Note (note_id STRING KEY, owner STRING, team STRING)
  VISIBLE WHERE owner = CURRENT_USER OR team IN (SELECT t.team_id FROM Reg."Team$Agg" t WHERE t.member = CURRENT_USER);
CREATE COMMAND Give (note_id STRING, owner STRING, team STRING NULL);
CREATE EVENT Given (owner STRING, team STRING);
CREATE DECISION Giving FOR Note ON COMMAND Give EMIT AS SELECT EVENT Given (owner := :owner, team := :team);`;

let server: Awaited<ReturnType<typeof startSample>>;
const as = (name: string): Record<string, string> => ({ Authorization: `Bearer ${name}` });
const run = async (aggregate: string, command: string, body: object): Promise<number> => {
  const answer = await server.post(`/api/aggregates/${aggregate}/execute/${command}`, body, as('admin'));
  assert.is(answer.status, 200, await answer.text());
  return server.engine.store.turns.position().event;
};
const give = (note: string, owner: string): Promise<number> => run('Note', 'Give', { note_id: note, owner });

interface Line {
  readonly control?: string;
  readonly reason?: string;
  readonly global_position: number;
  readonly stream_id?: string;
  readonly seq?: number;
}

/** The events, signs and end of a stream, without its marks. */
function told(lines: readonly Line[]): readonly string[] {
  return lines.flatMap(({ control, reason, stream_id: id, seq, global_position: at }) =>
    control === 'end'
      ? [`end ${reason}`]
      : control === 'hidden'
        ? [`hidden ${id} at ${at}`]
        : id === undefined
          ? []
          : [`${id} ${seq}`],
  );
}

const linesOf = (text: string): readonly Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

async function followed(who: string, query: string, path = '/api/aggregates/Note/events'): Promise<readonly string[]> {
  const accept = { ...as(who), Accept: 'application/x-ndjson' };
  return told(linesOf(await (await server.get(`${path}?follow=true&${query}`, accept)).text()));
}

let begin = 0;
let lost = 0;
let end = 0;
test.before(async () => {
  server = await startSample({ services: true, settings: { auth } });
  const made = await server.post('/api/lang/create', { lang }, as('admin'));
  assert.is(made.status, 201, await made.text());
  begin = server.engine.store.turns.position().event;
  await give('n1', 'pat');
  await give('n2', 'mel');
  lost = await give('n1', 'mel');
  await give('n1', 'mel');
  await give('n3', 'pat');
  await give('n4', 'pat');
  await give('n4', 'mel');
  await give('n4', 'pat');
  end = await give('n2', 'root');
});
test.after(() => server.stop());

test('stored events, and an event in place of each that took a stream away', async () => {
  const own = [`hidden n1 at ${lost}`, 'n3 1', 'n4 1', 'n4 2', 'n4 3', 'end until'];
  const range = `after=${begin}&until=${end}`;
  assert.equal(await followed('pat', range), own);
  assert.equal(await followed('pat', range, '/api/events'), own);
  assert.equal(await followed('mel', range), [
    'n1 1',
    'n1 2',
    'n1 3',
    `hidden n4 at ${end - 1}`,
    `hidden n2 at ${end}`,
    'end until',
  ]);
  assert.equal(
    (await followed('admin', range)).filter((line) => line.startsWith('hidden')),
    [],
  );
});

test('a page is not shared with a caller who sees fewer rows by the same values', async () => {
  const after = server.engine.store.turns.position().event;
  await run('Post', 'Publish', { post_id: 'p1', state: 'open' });
  const last = await run('Post', 'Publish', { post_id: 'p2', state: 'draft' });
  const range = `after=${after}&until=${last}`;
  const path = '/api/aggregates/Post/events';
  // Pages are kept as long as a follower is there.
  const holder = await server.get(`${path}?follow=true&after=${last}`, {
    ...as('admin'),
    Accept: 'application/x-ndjson',
  });
  const all = [];
  for (const who of ['will', 'pat', 'will']) all.push(await followed(who, range, path));
  await holder.body?.cancel();
  const [whole, some] = [
    ['p1 1', 'p2 1', 'end until'],
    ['p1 1', 'end until'],
  ];
  assert.equal(all, [whole, some, whole]);
});

test('it is told after a reconnect, whatever the filters, and is not counted', async () => {
  assert.equal(await followed('pat', `after=${lost - 1}&until=${end}&event_type=None`), [
    `hidden n1 at ${lost}`,
    'end until',
  ]);
  assert.equal(await followed('pat', `after=${lost}&until=${end}&limit=1`), ['n3 1', 'end limit']);
  assert.equal(await followed('pat', `after=${begin}&limit=1`), [`hidden n1 at ${lost}`, 'n3 1', 'end limit']);
  assert.equal(await followed('pat', `after=${begin}&until=${end}`, '/api/aggregates/Note/events/n1'), [
    `hidden n1 at ${lost}`,
    'end until',
  ]);
});

test('as events of a page, and in batches of Arrow', async () => {
  const path = `/api/aggregates/Note/events?follow=true&after=${lost - 1}&until=${lost}`;
  const page = await (await server.get(path, { ...as('pat'), Accept: 'text/event-stream' })).text();
  const data = JSON.stringify({ stream_type: 'Note', stream_id: 'n1', global_position: lost });
  assert.ok(page.includes(`event: $hidden\nid: ${lost}\ndata: ${data}\n\n`), page);
  const arrow = await server.get(path, { ...as('pat'), Accept: 'application/vnd.apache.arrow.stream' });
  const bytes = Buffer.from(await arrow.arrayBuffer()).toString('latin1');
  for (const part of ['hidden', 'stream_id', 'n1']) assert.ok(bytes.includes(part), part);
});

/** The lines of a stream that ends by itself, and work that is done once it has begun; the work can wait for a part of the stream. */
async function live(
  who: string,
  work: (until: (part: string) => Promise<void>) => Promise<unknown>,
  query = '',
): Promise<readonly string[]> {
  const now = server.engine.store.turns.position().event;
  const accept = { ...as(who), Accept: 'application/x-ndjson' };
  const answer = await server.get(`/api/aggregates/Note/events?follow=true&after=${now}${query}`, accept);
  const reader = answer.body?.getReader();
  if (reader === undefined) throw new Error('a stream has a body');
  let text = '';
  const read = async (): Promise<boolean> => {
    const { done, value } = await reader.read();
    text += Buffer.from(value ?? []).toString();
    return !done;
  };
  await read();
  await work(async (part) => {
    while (!text.includes(part)) assert.ok(await read(), text);
  });
  while (await read());
  return told(linesOf(text));
}

test('live: a stream comes with its next event, and goes with a sign', async () => {
  let gone = 0;
  const seen = await live(
    'pat',
    async (until) => {
      await give('n5', 'pat');
      await until('n5');
      gone = await give('n5', 'mel');
      await until('hidden');
      await give('n6', 'mel');
      await give('n6', 'pat');
    },
    '&limit=2',
  );
  assert.is(seen[0], 'n5 1');
  assert.is(seen[1], `hidden n5 at ${gone}`);
  // The first event of n6 is sent too if its page is read when the stream is seen.
  assert.ok(['n6 1', 'n6 2'].includes(seen[2] ?? ''));
  assert.equal(seen.slice(3), ['end limit']);
});

test('a stream ends when the answer of a subquery, or the clause, is another', async () => {
  assert.equal(await live('mel', () => run('Team', 'Enlist', { team_id: 'red', member: 'mel' })), ['end access']);
  // An answer that stays as it was for this caller ends nothing.
  const other = await live(
    'mel',
    async () => {
      await run('Team', 'Enlist', { team_id: 'blue', member: 'pat' });
      await give('n7', 'mel');
    },
    '&limit=1',
  );
  assert.equal(other, ['n7 1', 'end limit']);
  const changed = await live('mel', async () => {
    const text =
      'CREATE OR REPLACE AGGREGATE Note (note_id STRING KEY, owner STRING, team STRING) VISIBLE WHERE owner = CURRENT_USER;';
    const answer = await server.post('/api/lang/create', { lang: text }, as('admin'));
    assert.ok(answer.status < 300, await answer.text());
  });
  assert.equal(changed, ['end access']);
});

test.run();
