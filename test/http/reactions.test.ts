/** Work of reactions, and acts of operators on it (docs/http.md#reactions). */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from './sample-server.ts';
import { firstRow } from '../kit/first-row.ts';

const test = suite('reactions');
const server = await startSample({ services: true, limits: { consoleMilliseconds: 60_000 } });
test.after(() => server.stop());

const { reactions } = server.engine;

async function create(lang: string): Promise<void> {
  const answer = await server.post('/api/lang/create', { lang });
  assert.is(answer.status, 201, await answer.clone().text());
  await reactions.settled();
}

await create(`
CREATE AGGREGATE Seat (seat STRING KEY, state STRING AS LAST(event_type));
CREATE COMMAND Hold (seat STRING, minutes INT);
CREATE COMMAND Free (seat STRING, why STRING, card STRING SENSITIVE NULL);
CREATE COMMAND Count (seat STRING, share INT);
CREATE EVENT Held (minutes INT, card STRING SENSITIVE);
CREATE EVENT Freed (why STRING);
CREATE EVENT Counted (share INT);
CREATE DECISION Holding FOR Seat ON COMMAND Hold EMIT AS SELECT EVENT Held (minutes := :minutes, card := '4711');
CREATE DECISION Freeing FOR Seat ON COMMAND Free
STATE AS SELECT state FROM Reg."Seat$Agg" WHERE seat = :seat
EMIT AS SELECT EVENT Freed (why := :why) WHERE state <> 'Freed';
CREATE DECISION Counting FOR Seat ON COMMAND Count EMIT AS SELECT EVENT Counted (share := :share);
CREATE REACTION Expire ON EVENT Held
STATE AS SELECT state FROM Reg."Seat$Agg" WHERE seat = :stream_id
EXECUTE Free (seat := :stream_id, why := state, card := :card) AFTER :minutes MINUTES UNLESS EVENT Freed;
CREATE REACTION Share ON EVENT Held
STATE AS SELECT state FROM Reg."Seat$Agg" WHERE seat = :stream_id
EXECUTE Count (seat := :stream_id || '-count', share := 60 / (:minutes - 5)) WHERE state = 'Held';
`);

/** Executes `Hold` for each word `seat:minutes`, and lets reactions answer. */
async function hold(words: string): Promise<void> {
  for (const word of words.split(' ')) {
    const [seat = '', minutes = ''] = word.split(':');
    const done = await server.post('/api/aggregates/Seat/execute/Hold', { seat, minutes: Number(minutes) });
    assert.is(done.status, 200, await done.clone().text());
  }
  await reactions.settled();
}

type Body = Record<string, unknown>;

async function get(path: string): Promise<Body> {
  const answer = await server.get(`/api/reactions${path}`, { Accept: 'application/json' });
  assert.is(answer.status, 200, await answer.clone().text());
  return (await answer.json()) as Body;
}

const standingOf = (name: string): Promise<Body> => firstRow(`${server.url}/api/reactions/${name}`);

async function act(path: string, body: object = {}): Promise<readonly [status: number, body: Body]> {
  const answer = await server.post(`/api/reactions/${path}`, body);
  await reactions.settled();
  return [answer.status, (await answer.json()) as Body];
}

/** The members of each task, as a text. */
async function tasks(name: string, list: 'waiting' | 'parked', ...members: string[]): Promise<readonly string[]> {
  const rows = (await get(`/${name}/${list}`))[list] as readonly Body[];
  return rows.map((row) => members.map((member) => JSON.stringify(row[member])).join(' '));
}

async function positionOf(name: string, list: 'waiting' | 'parked', seat: string): Promise<number> {
  const rows = (await get(`/${name}/${list}`))[list] as readonly Body[];
  return rows.find((row) => row['stream_id'] === seat)?.['position'] as number;
}

const events = async (): Promise<readonly string[]> =>
  (await server.entries()).flatMap((entry) =>
    entry.kind === 'command' ? entry.events.map(({ type, streamId, data }) => `${type} ${streamId} ${data}`) : [],
  );
const lastEvent = async (): Promise<string | undefined> => (await events()).at(-1);

test('commands that wait are listed with what is known of them, the next one first', async () => {
  await hold('a:60 b:30');
  assert.equal(
    await tasks('Expire', 'waiting', 'branch', 'event_type', 'aggregate', 'stream_id', 'command', 'arguments'),
    [
      '"1" "Held" "Seat" "b" "Free" {"seat":"b","card":"****"}',
      '"1" "Held" "Seat" "a" "Free" {"seat":"a","card":"****"}',
    ],
  );
  const [first] = (await get('/Expire/waiting?limit=1'))['waiting'] as readonly Body[];
  const position = await positionOf('Expire', 'waiting', 'b');
  assert.equal([first?.['position'], (await standingOf('Expire'))['next_due']], [position, first?.['due']]);
  const { next_due: _, lag_seconds: __, examined: ___, ...standing } = await standingOf('Expire');
  assert.equal(standing, {
    name: 'Expire',
    state: 'running',
    reason: null,
    ready: 0,
    waiting: 2,
    parked: 0,
    last_error: null,
  });
});

test('a command that waits is executed now, or dropped', async () => {
  const [a, b] = [await positionOf('Expire', 'waiting', 'a'), await positionOf('Expire', 'waiting', 'b')];
  assert.equal(await act(`Expire/waiting/${b}/1/run`), [
    200,
    {
      position: b,
      branch: '1',
      reacted: [{ branch: '1', command: 'Free', outcome: 'emitted', stream_id: 'b', events: ['Freed'], error: null }],
    },
  ]);
  assert.is(await lastEvent(), 'Freed b {"why":"Held"}');
  assert.equal(await act(`Expire/waiting/${a}/1/discard`), [200, { position: a, branch: '1', reacted: [] }]);
  assert.equal(await tasks('Expire', 'waiting', 'stream_id'), []);
  for (const path of [`Expire/waiting/${a}/1/run`, `Expire/waiting/${a}/*/run`, 'Expire/parked/999/1/retry']) {
    const [status, { code }] = await problem(path);
    assert.equal([path, status, code], [path, 404, 'H4046']);
  }
});

async function problem(path: string, body: object = {}): Promise<readonly [status: number, body: Body]> {
  const answer = await server.post(`/api/reactions/${path}`, body, { Accept: 'application/problem+json' });
  return [answer.status, (await answer.json()) as Body];
}

test('a task that failed is parked until it is answered again or dropped', async () => {
  await hold('c:5 d:5 e:5');
  assert.equal(
    await tasks('Share', 'parked', 'branch', 'stream_id', 'error'),
    ['c', 'd', 'e'].map((seat) => `"*" "${seat}" "R0201 division by zero"`),
  );
  assert.is((await standingOf('Share'))['last_error'], 'R0201 division by zero');
  const [c, d, e] = [
    await positionOf('Share', 'parked', 'c'),
    await positionOf('Share', 'parked', 'd'),
    await positionOf('Share', 'parked', 'e'),
  ];
  // The task fails again, and stays.
  const [, again] = await act(`Share/parked/${c}/*/retry`);
  assert.equal(
    (again['reacted'] as readonly Body[]).map(({ outcome }) => outcome),
    ['parked'],
  );
  assert.equal(await tasks('Share', 'parked', 'stream_id'), ['"c"', '"d"', '"e"']);
  // The definition is mended.
  await create(`CREATE OR REPLACE REACTION Share ON EVENT Held
STATE AS SELECT state FROM Reg."Seat$Agg" WHERE seat = :stream_id
EXECUTE Count (seat := :stream_id || '-count', share := 60 / :minutes) WHERE state = 'Held' AND :minutes <> 5;`);
  // No guard is TRUE any longer, so that it is answered by nothing.
  assert.equal(await act(`Share/parked/${c}/*/retry`), [200, { position: c, branch: '*', reacted: [] }]);
  assert.equal(await act(`Share/parked/${d}/*/discard`), [200, { position: d, branch: '*', reacted: [] }]);
  assert.equal(await tasks('Share', 'parked', 'stream_id'), ['"e"']);
  await create(`CREATE OR REPLACE REACTION Share ON EVENT Held
EXECUTE Count (seat := :stream_id || '-count', share := 7);`);
  await act(`Share/parked/${e}/*/retry`);
  assert.is(await lastEvent(), 'Counted e-count {"share":7}');
  assert.equal(await tasks('Share', 'parked', 'stream_id'), []);
  // Later events do not bring it back, nor lose another one.
  await hold('f:1');
  assert.is(await lastEvent(), 'Counted f-count {"share":7}');
});

test('a reaction that is paused answers nothing; after a start it goes on, perhaps without what came before', async () => {
  assert.equal(await act('Share/pause'), [200, { state: 'stopped' }]);
  await hold('g:1 h:1');
  const { state, reason, ready } = await standingOf('Share');
  assert.equal([state, reason, ready], ['stopped', 'paused by anyone', 2]);
  const before = (await events()).length;
  const [, { state: goesOn }] = await act('Share/start');
  assert.equal(
    [goesOn, (await events()).slice(before)],
    ['running', ['Counted g-count {"share":7}', 'Counted h-count {"share":7}']],
  );
  await act('Share/pause');
  await act('Expire/pause');
  await hold('i:1 j:1');
  const after = (await events()).length;
  const [status, { code }] = await problem('Share/start', { position: 999_999 });
  assert.equal([status, code], [409, 'H4091']);
  for (const name of ['Share', 'Expire']) await act(`${name}/start`, { position: after });
  assert.equal((await events()).length, after);
  assert.equal(await tasks('Expire', 'waiting', 'stream_id'), []);
  await hold('k:1');
  assert.is(await lastEvent(), 'Counted k-count {"share":7}');
});

test('the registry and the console show how far they have come', async () => {
  const { next_due: _, lag_seconds: __, examined: ___, ...standing } = await standingOf('Expire');
  const { name, state, waiting, parked } = standing;
  const registered = await firstRow(`${server.url}/api/reg/reactions/Expire`);
  assert.equal(
    Object.entries(standing).filter(([column, value]) => registered[column] !== value),
    [],
  );
  const sql = 'SELECT name, state, waiting, parked FROM Reg.meta_reactions ORDER BY name LIMIT 1';
  const answer = await server.post('/api/query', { sql }, { Accept: 'application/json' });
  assert.equal(await answer.json(), [{ name, state, waiting, parked }]);
});

test('the list shows those that a caller may manage, and /metrics counts', async () => {
  const answer = await server.get('/api/reactions', { Accept: 'application/json' });
  const all = (await answer.json()) as readonly Body[];
  assert.equal(
    all.map(({ name }) => name),
    ['Expire', 'Share'],
  );
  const lines = (await (await server.get('/metrics')).text()).split('\n');
  const shown = lines.filter((line) => line.startsWith('schemac_reaction'));
  assert.equal(
    shown.filter((line) => !line.includes('lateness')),
    [
      'schemac_reactions_total{outcome="emitted"} 8',
      'schemac_reactions_total{outcome="rejected"} 0',
      'schemac_reactions_total{outcome="parked"} 4',
      'schemac_reaction_tasks_ready 0',
      'schemac_reaction_tasks_waiting 1',
      'schemac_reaction_tasks_parked 0',
      'schemac_reactions_stopped 0',
      'schemac_reaction_timers_total 0',
    ],
  );
});

test('a replaced reaction says what still waits, and what waited for a branch that is gone', async () => {
  const replace = async (branches: string): Promise<unknown> => {
    const lang = `CREATE OR REPLACE REACTION Later FROM NOW ON EVENT Held ${branches};`;
    const answer = await server.post('/api/lang/create', { lang });
    const { created } = (await answer.json()) as { readonly created: unknown };
    await reactions.settled();
    return created;
  };
  const free = (label: string, days: number): string =>
    `BRANCH ${label} EXECUTE Free (seat := :stream_id, why := 'late') AFTER ${days} DAYS`;
  const block = { kind: 'reaction', name: 'Later' };
  assert.equal(await replace(`${free('One', 1)} UNION ALL ${free('Two', 2)}`), [{ ...block, change: 'created' }]);
  await hold('q:100 r:100');
  assert.equal(await replace(free('Two', 5)), [{ ...block, change: 'replaced', waiting: 2, cancelled: 2 }]);
  assert.is((await standingOf('Later'))['waiting'], 2);
});

test('/ready and the log say that the time of the log is ahead of the clock, each time that this begins', async () => {
  let behind = 120_000;
  const slow = await startSample({ now: () => Date.now() - behind });
  const ready = async (): Promise<unknown> => ((await (await slow.get('/ready')).json()) as Body)['notes'];
  const said = (): number => slow.lines.filter(({ message }) => /ahead of the clock/.test(String(message))).length;
  const note = String(await ready());
  assert.match(
    note.replace(/\d+/, 'n'),
    'the last entry of the log is n s ahead of the clock of this server; new events get its time until the clock has caught up',
  );
  await ready();
  assert.is(said(), 1);
  behind = 0;
  assert.is(await ready(), undefined);
  behind = 120_000;
  await ready();
  assert.is(said(), 2);
  await slow.stop();
});

test.run();
