/** Servers whose log is in PostgreSQL: several on one log, one that is killed, and a database that goes away and comes back. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startDatabase, type TestDatabase } from '../kit/database.ts';
import { serveHere } from '../kit/served-here.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { runTool, startTool } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { until } from '../kit/until.ts';
import { watchOutput, type WatchedOutput } from '../kit/watch-output.ts';

const schema = `CREATE EVENTSTORE shared WITH (durable.type = 'postgres', durable.url = ENV('DATABASE_URL'), durable.namespace = ENV('NAMESPACE'));
CREATE AGGREGATE Box (box_id STRING KEY, total INT DEFAULT 0 AS SUM(data.n));
CREATE COMMAND Put (box_id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n) WHERE :n > 0;
`;

const database = await startDatabase();
const check = (title: string, work: (database: TestDatabase) => Promise<void>): void => {
  if ('missing' in database) test.skip(`${title}: ${database.missing}`, () => undefined);
  else test(title, () => work(database));
};
let namespaces = 0;
const newNamespace = (): string => `server_${process.pid}_${++namespaces}`;

interface Place {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

const inProject = (database: TestDatabase, work: (place: Place) => Promise<void>): Promise<void> =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'schema/box.schema': schema });
    assert.is((await runToolHere(['build', 'schema'], { cwd: folder })).status, 0);
    await work({ folder, environment: { DATABASE_URL: database.url, NAMESPACE: newNamespace() } });
  });

interface Started {
  readonly url: string;
  readonly output: WatchedOutput;
}

async function start({ folder, environment }: Place, ...words: readonly string[]): Promise<Started> {
  const output = watchOutput(startTool(['start', '--port', '0', ...words], { cwd: folder, environment }));
  const [url = ''] = /http:\S+(?=,)/.exec(await output.until(', data ')) ?? [];
  await ready(url);
  return { url, output };
}

async function ready(url: string): Promise<void> {
  while ((await fetch(`${url}/ready`)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
}

const rows = 'SELECT stream_id, seq FROM simulated;';
const asJson = { Accept: 'application/json', 'Content-Type': 'application/json' };
interface Answered {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: unknown;
}
async function ask(url: string, path: string, body?: unknown): Promise<Answered> {
  const answer = await fetch(url + path, {
    headers: asJson,
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  });
  return { status: answer.status, retryAfter: answer.headers.get('Retry-After'), body: await answer.json() };
}
const put = (url: string, n: number): Promise<Answered> =>
  ask(url, '/api/aggregates/Box/execute/Put', { box_id: 'b', n });
const total = async (url: string): Promise<unknown> => {
  const { body } = await ask(url, '/api/aggregates/Box');
  return (body as readonly { readonly total: number }[])[0]?.total;
};

check('servers on one log serve the same, and go on when one of them is killed', (database) =>
  inProject(database, async (place) => {
    const first = await start(place, '--data', 'cache');
    assert.is(
      (await first.output.until('\n')).trim(),
      `127.0.0.1:${database.port}/postgres, namespace ${place.environment['NAMESPACE']}`,
    );
    assert.is((await put(first.url, 1)).status, 200);
    const inspected = await runToolHere(['run', '-', '--data', 'cache'], {
      cwd: place.folder,
      input: `CREATE TABLE wanted AS SELECT 'b' AS box_id, 4 AS n; INSPECT DECISION PutIn FROM wanted INTO simulated; ${rows}`,
    });
    assert.is(inspected.status, 0, inspected.stdout + inspected.stderr);

    const second = await start(place, '--data', 'other');
    // Each reads at once what the other has acknowledged.
    for (const n of [2, 3]) {
      assert.is((await put(first.url, n)).status, 200);
      assert.is((await put(second.url, n)).status, 200);
      assert.equal([await total(first.url), await total(second.url)], Array(2).fill(n === 2 ? 5 : 11));
    }
    const both = await Promise.all([first, second].flatMap(({ url }) => Array.from({ length: 10 }, () => put(url, 1))));
    assert.equal(new Set(both.map(({ status }) => status)), new Set([200]));
    assert.equal([await total(first.url), await total(second.url)], [31, 31]);

    const unanswered = Array.from({ length: 5 }, () => put(first.url, 100).catch(() => 'cut'));
    await first.output.stop('SIGKILL');
    const answered = (await Promise.all(unanswered)).filter((answer) => answer !== 'cut').length;
    assert.is((await put(second.url, 9)).status, 200);
    const kept = (Number(await total(second.url)) - 40) / 100;
    assert.ok(Number.isInteger(kept) && kept >= answered && kept <= 5, `${kept} of 5 kept, ${answered} answered`);

    const read = await runToolHere(['run', '-', '--data', 'other'], { cwd: place.folder, input: rows });
    assert.is(read.status, 0, read.stderr);
    assert.match(inspected.stdout, read.stdout.trim());
    await second.output.stop('SIGTERM');
  }),
);

check('while the database is away the server says so, and when it is back it goes on', (database) =>
  inProject(database, async (place) => {
    const { crash, restart } = database;
    if (crash === undefined || restart === undefined) return;
    const { url, output } = await start(place);
    await put(url, 1);
    await crash();
    while ((await ask(url, '/ready')).status === 200);
    const refused = await put(url, 2);
    assert.equal([refused.status, refused.retryAfter], [503, '1']);
    assert.match(JSON.stringify(refused.body), /the database 127\.0\.0\.1:\d+\/postgres/);
    assert.is((await ask(url, '/ready')).retryAfter, '1');
    const local = { headers: { ...asJson, 'Schemac-Consistency': 'local' } };
    await until(async () => (await fetch(`${url}/api/aggregates/Box`, local)).status === 503); // too old by now
    const health = await ask(url, '/health');
    assert.is(health.status, 200);
    assert.match(JSON.stringify(health.body), /^\{"status":"ok","log":"the database 127\.0\.0\.1:\d+\/postgres/);
    assert.is((await ask(url, '/info')).status, 200);
    assert.is((await fetch(`${url}/metrics`)).status, 200);

    const { status, stderr } = await runTool(['start', '--port', '0'], {
      cwd: place.folder,
      environment: place.environment,
    });
    assert.is(status, 3);
    assert.match(
      stderr,
      /^schemac: the log in 127\.0\.0\.1:\d+\/postgres, namespace \w+ cannot be opened: .*ECONNREFUSED.*\n$/,
    );
    assert.not.match(stderr, 'secret-of-test');
    const waiting = start(place, '--wait', '60');
    await restart();
    await ready(url);
    assert.is((await put(url, 4)).status, 200);
    assert.is(await total(url), 5);
    const waited = await waiting;
    assert.is((await ask(waited.url, '/health')).status, 200);
    await Promise.all([output.stop('SIGTERM'), waited.output.stop('SIGTERM')]);
  }),
);

check('a database that becomes a replica takes no part until it is a primary again, except for readers', (database) =>
  inProject(database, async ({ folder: cwd, environment }) => {
    const { crash, restart, port } = database;
    if (crash === undefined || restart === undefined) return;
    const server = await serveHere([], { cwd, environment });
    assert.is((await put(server.url, 1)).status, 200);
    await crash();
    await restart('replica');
    const noPrimary = `the database 127.0.0.1:${port}/postgres is a replica, which takes no writes and may lack the last entries; name the primary, or read with start --read-only`;
    await until(async () => JSON.stringify((await ask(server.url, '/ready')).body).includes(noPrimary));
    for (const { status, body } of [await put(server.url, 1), await ask(server.url, '/api/aggregates/Box')])
      assert.equal([status, JSON.stringify(body).includes(noPrimary)], [503, true], JSON.stringify(body));
    const refused = await runToolHere(['start', '--port', '0'], { cwd, environment });
    assert.equal([refused.status, refused.stderr.trim().endsWith(noPrimary)], [3, true], refused.stderr);

    const reader = await serveHere(['--read-only'], { cwd, environment });
    const latest = await ask(reader.url, '/api/aggregates/Box');
    assert.equal(latest, {
      status: 503,
      retryAfter: null,
      body: {
        error:
          "this server reads a replica, which may lack the latest entries; ask with 'Schemac-Consistency: local' for those that it has, or another server",
      },
    });
    const local = { headers: { ...asJson, 'Schemac-Consistency': 'local' } };
    const rows = await fetch(`${reader.url}/api/aggregates/Box?select=total`, local);
    assert.equal(await rows.json(), [{ total: 1 }]);
    assert.match(JSON.stringify((await ask(reader.url, '/ready')).body), 'the log is read from a replica');
    assert.is(await reader.stop(), 0);

    await crash();
    await restart();
    await until(async () => (await put(server.url, 2)).status === 200);
    assert.is(await total(server.url), 3);
    assert.is(await server.stop(), 0);
  }),
);

test.after(async () => {
  if (!('missing' in database)) await database.stop();
});
test.run();
