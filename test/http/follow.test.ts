/** Streams that follow the log (docs/http.md#following-events). */
import { createHash } from 'node:crypto';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withTempFolder } from '../kit/temp-folder.ts';
import { connect, storm, stormedSample, streamForms, type Said } from './follow-storm.ts';
import { rawRequest } from './raw-request.ts';
import { startSample } from './sample-server.ts';

const test = suite('follow');
/** Set by `npm run test:http-long -- follow`. */
const longCuts = Number(process.env['SCHEMAC_FOLLOW_CUTS'] ?? 0);
type Sample = Awaited<ReturnType<typeof startSample>>;

const register = (server: Sample, id: string, headers: Record<string, string> = {}) =>
  server.post('/api/aggregates/Bike/execute/RegisterBike', { bike_id: id, model: 'R', price: 1, code: 'pin' }, headers);
const openDock = (server: Sample, id: string) => server.post('/api/aggregates/Dock/execute/OpenDock', { params: id });
const create = async (server: Sample, lang: string) => {
  const answer = await server.post('/api/lang/create', { lang });
  assert.is(answer.status, 201, await answer.text());
};
const text = async (server: Sample, path: string, headers: Record<string, string> = {}) =>
  (await server.get(path, { Accept: 'application/x-ndjson', ...headers })).text();
/** The positions of a stream's events, with marks in brackets and the reason of the end. */
const shape = (said: readonly Said[]): string =>
  said.map(({ position, id, end }) => (id === undefined ? (end ?? `[${position}]`) : String(position))).join(' ');
/** All up to a position. */
const reaching = async (said: AsyncIterable<Said>, position: number): Promise<readonly Said[]> => {
  const all: Said[] = [];
  for await (const one of said) if (all.push(one) > 0 && one.position === position) break;
  return all;
};
const take = async (said: AsyncIterable<Said>, count: number): Promise<readonly Said[]> => {
  const all: Said[] = [];
  for await (const one of said) if (all.push(one) === count) break;
  return all;
};

test('every form begins with a mark, has the events up to the end that was asked for, and says why it ends', async () => {
  const server = await startSample();
  await server.append(3, 3);
  await openDock(server, 'D');
  await server.append(2, 3);
  const cases: readonly (readonly [path: string, expected: string])[] = [
    ['/api/aggregates/Bike/events?follow=true&until=6', '[0] 1 2 3 5 6 until'],
    ['/api/aggregates/Bike/events?follow=true&until=4', '[0] 1 2 3 until'],
    ['/api/aggregates/Bike/events?follow=true&after=2&limit=2', '[2] 3 5 limit'],
    ['/api/aggregates/Bike/events/S-1?follow=true&until=6', '[0] 2 6 until'],
    ['/api/aggregates/Bike/events?follow=true&until=6&stream_id[in]=S-0,S-2', '[0] 1 3 5 until'],
    ['/api/events?follow=true&until=6', '[0] 1 2 3 4 5 6 until'],
    ['/api/events?follow=true&until=6&event_type=DockOpened', '[0] 4 until'],
    ['/api/events?follow=true&until=6&event_type=DockOpened&event_type=None', '[0] 4 until'],
    ['/api/events?follow=true&after=6&until=6', '[6] until'],
  ];
  for (const [path, expected] of cases)
    for (const form of streamForms) {
      const { said } = await connect(server.url + path, form);
      assert.equal([path, form, shape(await take(said, 99))], [path, form, expected]);
    }
  await server.stop();
});

test('the text of a stream, and its head', async () => {
  const server = await startSample();
  await server.append(1, 3);
  const answer = await server.get('/api/aggregates/Bike/events?limit=1&names=true', { Accept: 'text/event-stream' });
  const head = ['content-type', 'cache-control', 'x-accel-buffering', 'etag', 'content-encoding'];
  assert.equal(
    head.map((name) => answer.headers.get(name)),
    ['text/event-stream; charset=utf-8', 'no-store, no-transform', 'no', null, null],
  );
  const cleaned = (await answer.text())
    .replace(/retry: \d+/, 'retry: 1')
    .replaceAll(/("event_id"|"occurred_at"):"[^"]*"/g, '$1:""');
  assert.is(
    cleaned,
    'retry: 1\nevent: $position\nid: 0\ndata: {"global_position":0}\n\n' +
      'event: BikeRented\nid: 1\ndata: {"event_id":"","stream_type":"Bike","stream_id":"S-0","seq":1,"event_type":"BikeRented",' +
      '"occurred_at":"","data":{"rider":"rrr"},"global_position":1}\n\n' +
      'event: $end\nid: 1\ndata: {"reason":"limit","global_position":1}\n\n',
  );
  assert.is(
    await text(server, '/api/events?follow=true&until=1&select=global_position,data'),
    '{"global_position":0}\n{"global_position":1,"data":{"rider":"rrr"}}\n{"control":"end","reason":"until","global_position":1}\n',
  );
  const headOnly = await fetch(`${server.url}/api/events?follow=true`, { method: 'HEAD' });
  assert.equal([headOnly.status, headOnly.headers.get('content-type')], [200, 'application/vnd.apache.arrow.stream']);
  // HTTP/1.0 has no chunks: the answer ends with the connection.
  const old = await rawRequest(
    server.port,
    'GET /api/events?follow=true&until=1 HTTP/1.0\r\nHost: localhost\r\nAccept: application/x-ndjson\r\n\r\n',
  );
  assert.match(old, /^HTTP\/1\.1 200 [\s\S]*"reason":"until","global_position":1}\n$/);
  await server.stop();
});

test('a request that makes no sense is refused', async () => {
  const server = await startSample({ limits: { followers: 1 } });
  await server.append(2, 3);
  const stream = { Accept: 'text/event-stream' };
  const cases: readonly (readonly [query: string, headers: Record<string, string>, status: number, error: string])[] = [
    ['follow=yes', {}, 400, "parameter 'follow' takes true or false, not 'yes'"],
    ['follow=true&offset=1', {}, 400, 'a stream has no offset; it begins after a position'],
    ['follow=true&order=seq', {}, 400, 'a stream is in the order of the log'],
    ['follow=true&as_of=1', {}, 400, 'a stream has no moment; it ends after a position with until'],
    ['follow=true&select=seq', {}, 400, 'a stream needs the column global_position, by which it is continued'],
    ['follow=true', { Prefer: 'count=exact' }, 400, 'the rows of a stream cannot be counted'],
    ['follow=true&heartbeat=61', {}, 400, "parameter 'heartbeat' takes a number of seconds from 1 to 60, not '61'"],
    ['follow=true&after=now', {}, 400, "parameter 'after' takes a whole number from 0, or end, not 'now'"],
    ['follow=true&tag=x', {}, 400, "parameter 'tag' takes field:value, not 'x'"],
    ['after=end', {}, 400, "parameter 'after' takes end only with follow=true"],
    ['heartbeat=5', {}, 400, "parameter 'heartbeat' belongs to follow=true"],
    ['names=true', {}, 400, "parameter 'names' belongs to follow=true"],
    ['follow=true&after=3', {}, 409, 'the log ends at global_position 2, before 3'],
    ['', { ...stream, 'Last-Event-ID': '3' }, 409, 'the log ends at global_position 2, before 3'],
    ['', { ...stream, 'Last-Event-ID': 'x' }, 400, "Last-Event-ID takes a global_position, not 'x'"],
    [
      'follow=true',
      { Accept: 'application/json' },
      406,
      'events are followed as application/vnd.apache.arrow.stream, text/event-stream, application/x-ndjson; Accept names none of them',
    ],
  ];
  for (const [query, headers, status, error] of cases) {
    const answer = await server.get(`/api/aggregates/Bike/events?${query}`, headers);
    assert.equal([query, headers, answer.status, await answer.json()], [query, headers, status, { error }]);
  }
  assert.is((await server.get('/api/aggregates/Bike/state', stream)).status, 406);
  assert.is((await server.get('/api/aggregates/Boat/events', stream)).status, 404);
  // A page whose stream ended connects again, and learns that nothing else comes.
  assert.is((await server.get('/api/events?until=2', { ...stream, 'Last-Event-ID': '2' })).status, 204);
  const { said, stop } = await connect(`${server.url}/api/events`, 'sse');
  await take(said, 1);
  const refused = await server.get('/api/events?follow=true');
  assert.equal(
    [refused.status, refused.headers.get('retry-after'), await refused.json()],
    [503, '5', { error: 'this server has 1 streams that follow the log, its limit' }],
  );
  stop();
  await until(async () => (await text(server, '/api/events?follow=true&until=1')).includes('until'));
  await server.stop();
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await condition()); tries++) {
    if (tries > 1_000) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('new events come as they are written; the last position seen wins over after, and end means from now on', async () => {
  const server = await startSample();
  await server.append(2, 3);
  for (const form of streamForms) {
    const before = server.engine.store.turns.position().event;
    const { said, stop } = await connect(`${server.url}/api/events?follow=true&after=end`, form);
    const read = take(said, 3);
    await server.append(1, 3);
    await until(async () => true);
    await openDock(server, form);
    assert.is(shape(await read), `[${before}] ${before + 1} ${before + 2}`);
    stop();
    const again = await connect(`${server.url}/api/events?follow=true&after=end`, form, {
      'Last-Event-ID': String(before + 1),
    });
    assert.is(shape(await take(again.said, 2)), `[${before + 1}] ${before + 2}`);
    again.stop();
  }
  await server.stop();
});

test('marks come while nothing does, and while a filter leaves everything out', async () => {
  const server = await startSample();
  const idle = await connect(`${server.url}/api/events?follow=true&heartbeat=1`, 'ndjson');
  const filtered = await connect(`${server.url}/api/aggregates/Dock/events?follow=true&heartbeat=60`, 'sse');
  const [none, passed] = [take(idle.said, 2), take(filtered.said, 2)];
  assert.is(shape(await none), '[0] [0]');
  await server.append(25_000, 3);
  // The mark comes after this number of events at once, and after a second with fewer.
  assert.is(shape(await passed), '[0] [25000]');
  const stored = await connect(`${server.url}/api/aggregates/Bike/events/none?follow=true&heartbeat=60`, 'ndjson');
  assert.match(shape(await reaching(stored.said, 25_000)), /^(\[\d+\] ){2,}\[25000\]$/);
  for (const { stop } of [idle, filtered, stored]) stop();
  await server.stop();
});

test('tags choose events, also those of a stream', async () => {
  const server = await startSample({ services: true });
  await create(server, 'CREATE OR REPLACE EVENT BikeRented (rider STRING TAG);');
  for (const rider of ['Ada', 'Bo', 'ADA']) {
    await register(server, rider);
    await server.post('/api/aggregates/Bike/execute/RentBike', { bike_id: rider, rider });
  }
  const positions = async (query: string) =>
    (await text(server, `/api/events?follow=true&until=6&${query}`)).match(
      /(?<="global_position":)\d+(?=}\n{"e|}\n{"c)/g,
    );
  assert.equal(await positions('tag=rider:ada'), ['0', '2', '6']);
  assert.equal(await positions('tag=rider:ada&tag=rider:bo'), ['0']);
  const stored = await server.get('/api/aggregates/Bike/events?tag=rider:Bo', { Accept: 'application/json' });
  assert.equal(
    ((await stored.json()) as { global_position: number }[]).map((row) => row.global_position),
    [4],
  );
  await server.stop();
});

test('the registry in force decides what is shown', async () => {
  const server = await startSample({ services: true });
  await server.append(1, 3);
  const { said } = await connect(`${server.url}/api/aggregates/Bike/events?follow=true`, 'arrow');
  const arrow = take(said, 9);
  const lines = await server.get('/api/aggregates/Bike/events?follow=true', { Accept: 'application/x-ndjson' });
  const reader = lines.body?.getReader();
  let all = '';
  const reads = async (wanted: string): Promise<void> => {
    while (!all.includes(wanted)) all += Buffer.from((await reader?.read())?.value ?? []).toString();
  };
  await reads('"data":{"rider":"rrr"}');
  await create(server, 'CREATE OR REPLACE EVENT BikeRented (rider STRING SENSITIVE, note STRING);');
  await server.append(1, 3);
  await reads('"data":{"rider":"****","note":null}');
  // An Arrow stream has one schema.
  assert.is(shape(await arrow), '[0] 1 schema');
  await reader?.cancel();
  await server.stop();
});

const sha256 = (token: string): string => createHash('sha256').update(token).digest('hex');
const roles = { all: ['read:*', 'execute:*'], docks: ['read:Dock$Events'], none: ['read:Fleet'] };
const tokens = Object.keys(roles).map((role) => ({ sha256: sha256(role), subject: role, roles: [role] }));
const as = (token: string) => ({ Authorization: `Bearer ${token}` });

test('a caller gets the events that it may read, and a place among the followers', async () => {
  const server = await startSample({ settings: { auth: { tokens, roles } }, limits: { followersOfCaller: 1 } });
  await server.append(2, 3);
  await server.post('/api/aggregates/Dock/execute/OpenDock', { params: 'D' }, as('all'));
  const path = '/api/events?follow=true&until=3';
  const { said } = await connect(server.url + path, 'ndjson', as('docks'));
  assert.is(shape(await take(said, 9)), '[0] 3 until');
  assert.match(await text(server, path, as('all')), '"event_type":"BikeRented"');
  for (const given of [path, '/api/events']) {
    const refused = await server.get(given, as('none'));
    assert.equal([refused.status, await refused.json()], [403, { error: "this needs the right 'read:*$Events'" }]);
  }
  assert.is((await server.get('/api/aggregates/Bike/events?follow=true', as('docks'))).status, 403);
  const open = await connect(`${server.url}/api/events`, 'sse', as('docks'));
  await take(open.said, 1);
  const second = await server.get('/api/events?follow=true', as('docks'));
  assert.equal(
    [second.status, await second.json()],
    [503, { error: "'docks' has 1 streams that follow the log, the limit of one caller" }],
  );
  open.stop();
  await server.stop();
});

test('a stream ends with the credentials', () =>
  withTempFolder(async (folder) => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwks = join(folder, 'keys.json');
    await writeFile(jwks, JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k' }] }));
    let now = Date.UTC(2026, 5, 1);
    const jwt = { jwks, issuer: 'https://i.example', audience: 'a', algorithms: ['ES256'], rolesClaim: 'roles' };
    const server = await startSample({ settings: { auth: { tokens: [], jwt, roles } }, now: () => now });
    const claims = { iss: jwt.issuer, aud: 'a', exp: now / 1000 + 60, sub: 's', roles: ['all'] };
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'k' }).sign(privateKey);
    const { said } = await connect(`${server.url}/api/events?follow=true&heartbeat=1`, 'ndjson', as(token));
    const read = take(said, 99);
    now += 200_000;
    await server.append(1, 3);
    assert.is(shape(await read), '[0] credentials');
    await server.stop();
  }));

test('a stop ends all streams at once and asks them to come back later', async () => {
  const server = await startSample();
  await server.append(1, 3);
  const open = await Promise.all(streamForms.map((form) => connect(`${server.url}/api/events?follow=true`, form)));
  const read = open.map(({ said }) => take(said, 99));
  await until(async () => (await server.get('/metrics')).text().then((all) => all.includes('\nschemac_followers 3\n')));
  await server.stop();
  for (const said of await Promise.all(read)) assert.is(shape(said), '[0] 1 stop');
});

test('a caller that does not read is sent nothing, and does not delay others', async () => {
  const server = await startSample({ readModel: 'worker' });
  const sockets = Array.from({ length: 20 }, () => {
    const socket = connectSocket(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET /api/events HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n');
    return socket.pause();
  });
  const { said } = await connect(`${server.url}/api/events?follow=true`, 'ndjson');
  const before = process.memoryUsage().rss;
  await server.append(5_000, 4_000);
  const read = await reaching(said, 5_000);
  assert.is(read.filter(({ id }) => id !== undefined).length, 5_000);
  const grown = process.memoryUsage().rss - before;
  // The events for each of them are 20 MB.
  assert.ok(grown < 250 * 1024 * 1024, `${Math.round(grown / 1e6)} MB`);
  for (const socket of sockets) socket.destroy();
  await server.stop();
});

test('cut at random under writers and changes of the registry, followers of each form get each event once', async () => {
  const server = await startSample({ services: true });
  const size =
    longCuts === 0
      ? { cuts: 12, followersOfForm: 2, writers: 3 }
      : { cuts: Math.ceil(longCuts / 48), followersOfForm: 16, writers: 32 };
  const { lists, log } = await storm(stormedSample(server), { ...size, random: Math.random });
  assert.ok(log.length > 100, `${log.length} events`);
  for (const list of lists) assert.equal(list, log);
  await server.stop();
});

test.run();
