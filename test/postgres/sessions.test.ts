/** Sessions of tools on a log in PostgreSQL, other stores in queries and inspections, and roles that may only read. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startDatabase } from '../kit/database.ts';
import { serveHere } from '../kit/served-here.ts';
import { packageHere } from '../kit/started-module.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { runToolHere } from '../kit/tool-here.ts';

const database = await startDatabase();
let made = 0;

interface World {
  readonly cwd: string;
  readonly namespace: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Runs statements; gives the status, and the last object of `--json` without what differs between runs. */
  readonly run: (text: string, ...words: readonly string[]) => Promise<readonly unknown[]>;
}

const schema = (namespace: string): string => `
CREATE EVENTSTORE prod WITH (durable.type = 'postgres', durable.url = ENV('DATABASE_URL'), durable.namespace = '${namespace}');
CREATE AGGREGATE Box (box_id STRING KEY, total INT DEFAULT 0 AS SUM(data.n));
CREATE COMMAND Put (box_id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put STATE AS SELECT total FROM Reg."Box$Agg" WHERE box_id = :box_id
EMIT AS SELECT EVENT Added (n := :n) WHERE total + :n <= 10;
`;

function check(title: string, work: (world: World) => Promise<void>): void {
  if ('missing' in database) {
    test.skip(`${title}: ${database.missing}`, () => undefined);
    return;
  }
  test(title, () =>
    withTempFolder(async (cwd) => {
      const namespace = `sessions_${process.pid}_${++made}`;
      writeFiles(cwd, { 'schema/a.schema': schema(namespace) });
      mkdirSync(join(cwd, 'node_modules'));
      symlinkSync(packageHere, join(cwd, 'node_modules/schemac'), 'dir');
      const environment = { DATABASE_URL: database.url };
      assert.is((await runToolHere(['build', 'schema'], { cwd })).status, 0);
      const run: World['run'] = async (text, ...words) => {
        const { status, stdout, stderr } = await runToolHere(['run', '-', '--json', ...words], {
          cwd,
          environment,
          input: text,
        });
        const lines = stdout.trimEnd().split('\n');
        const { kind, rows, message, outcome, rejected, change } = JSON.parse(lines.at(-1) || '{}') as Record<
          string,
          unknown
        >;
        return [status, kind === 'inspect' ? rejected : (rows ?? message ?? outcome ?? change ?? kind ?? stderr)];
      };
      await work({ cwd, namespace, environment, run });
    }),
  );
}

const total = 'SELECT box_id, total FROM Reg."Box$Agg" ORDER BY box_id;';
const prod = ['--eventstore', 'prod'];

check('a tool on the log is one more server of it', async ({ cwd, environment, run }) => {
  const server = await serveHere([], { cwd, environment });
  assert.equal(await run("EXECUTE Put(box_id := 'a', n := 4);", ...prod), [0, 'emitted']);
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
  const send = (n: number): Promise<Response> =>
    fetch(`${server.url}/api/aggregates/Box/execute/Put`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ box_id: 'a', n }),
    });
  assert.match(await (await send(5)).text(), '"status":"success"');
  assert.match(await (await send(5)).text(), '"status":"rejected"');
  assert.equal(await run(total, ...prod), [0, [['a', 9]]]);
  assert.equal(await run(`${total} AS OF POSITION 1;`.replace('; AS', ' AS'), ...prod), [0, [['a', 4]]]);
  assert.equal(
    await run(
      "CREATE TABLE wanted AS SELECT 'a' AS box_id, 1 AS n UNION ALL SELECT 'a', 2; INSPECT DECISION PutIn FROM wanted INTO tried;",
      ...prod,
    ),
    [0, 1],
  );
  // Rows of inspections are in the database, so that the next tool has them.
  assert.equal(await run('SELECT stream_id, data.n FROM tried WHERE rejection IS NULL;', ...prod), [0, [['a', 1]]]);
  assert.equal(await run('CREATE EVENT Emptied (why STRING);', ...prod), [0, 'created']);
  assert.is((await fetch(`${server.url}/api/reg/events/Emptied`, { headers })).status, 200);

  writeFiles(cwd, { 'rows.csv': 'box_id,n\nb,1\nb,2\n' });
  const many = await runToolHere(['execute', 'Put', '--from', 'rows.csv', ...prod], { cwd, environment });
  assert.equal([many.status, many.stdout.split(' in ')[0]], [0, many.stdout.split(' in ')[0]], many.stderr);
  const described = await runToolHere(['describe', 'event', 'Emptied', ...prod], { cwd, environment });
  assert.equal([described.status, /Emptied/.test(described.stdout)], [0, true], described.stderr);
  const inspected = await runToolHere(
    ['inspect', 'DECISION', 'PutIn', 'FROM', 'wanted', 'INTO', 'more', '--table', 'wanted=rows.json', ...prod],
    { cwd: (writeFiles(cwd, { 'rows.json': '[{"box_id":"b","n":7}]' }), cwd), environment },
  );
  assert.is(inspected.status, 0, inspected.stderr);
  assert.is(await server.stop(), 0);
});

check(
  'a store in PostgreSQL is read in addition to that of the session, in its present state',
  async ({ run, namespace, cwd, environment }) => {
    const local = ['--schema', 'schema', '--data', 'local'];
    assert.equal(await run('SELECT * FROM prod."Box$Events";', ...local), [
      1,
      `the log in ${new URL(environment['DATABASE_URL'] ?? '').host}/postgres, namespace ${namespace} cannot be opened: there is none`,
    ]);
    const server = await serveHere([], { cwd, environment });
    assert.equal(await run("EXECUTE Put(box_id := 'a', n := 4);", ...prod), [0, 'emitted']);
    assert.equal(await run("EXECUTE Put(box_id := 'here', n := 1);", ...local), [0, 'emitted']);
    const both =
      'SELECT stream_id, data.n FROM prod."Box$Events" UNION ALL SELECT stream_id, data.n FROM Reg."Box$Events" ORDER BY 1;';
    assert.equal(await run(both, ...local), [
      0,
      [
        ['a', 4],
        ['here', 1],
      ],
    ]);
    const wanted = "CREATE TABLE wanted AS SELECT 'a' AS box_id, 6 AS n UNION ALL SELECT 'a', 7;";
    assert.equal(
      await run(`${wanted} INSPECT DECISION PutIn FROM wanted INTO tried USING EVENTSTORE prod;`, ...local),
      [0, 1],
    );
    assert.is(await server.stop(), 0);
  },
);

check(
  'a role that may only read has sessions and servers that only read',
  async ({ cwd, namespace, environment, run }) => {
    const first = await serveHere([], { cwd, environment });
    assert.equal(await run("EXECUTE Put(box_id := 'a', n := 4);", ...prod), [0, 'emitted']);
    const client = new pg.Client({ connectionString: environment['DATABASE_URL'] });
    await client.connect();
    const role = `reader_${namespace}`;
    await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'r'; GRANT USAGE ON SCHEMA "${namespace}" TO ${role};
    GRANT SELECT ON "${namespace}".head, "${namespace}".entry, "${namespace}".event, "${namespace}".side_value, "${namespace}".side_page TO ${role}`);
    const url = new URL(environment['DATABASE_URL'] ?? '');
    [url.username, url.password] = [role, 'r'];
    const reading = { DATABASE_URL: url.href };
    const reader = await serveHere(['--read-only'], { cwd, environment: reading });
    const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
    const totals = async (): Promise<unknown> =>
      (await fetch(`${reader.url}/api/aggregates/Box?select=total`, { headers })).json();
    assert.equal(await totals(), [{ total: 4 }]);
    assert.equal(await run("EXECUTE Put(box_id := 'a', n := 2);", ...prod), [0, 'emitted']);
    assert.equal(await totals(), [{ total: 6 }]);
    const refused = await fetch(`${reader.url}/api/aggregates/Box/execute/Put`, {
      method: 'POST',
      headers,
      body: '{"box_id":"a","n":1}',
    });
    assert.is(refused.status, 403);
    const said = async (...words: readonly string[]): Promise<readonly unknown[]> => {
      const { status, stdout, stderr } = await runToolHere(words, { cwd, environment: reading });
      return [
        status,
        `${stdout}${stderr}`
          .split('\n')
          .at(-2)
          ?.replace(/^.*namespace \w+/, '…'),
      ];
    };
    assert.equal(await said('log', 'verify', ...prod), [0, 'the log is sound']);
    assert.equal(await said('log', 'export', 'x.jsonl', ...prod), [
      3,
      '… cannot be opened: this role may not read its table secret, whose key is part of an export',
    ]);
    assert.is((await said('start', '--port', '0'))[0], 3);
    assert.equal(await Promise.all([first.stop(), reader.stop()]), [0, 0]);
    await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await client.end();
  },
);

test.after(async () => {
  if (!('missing' in database)) await database.stop();
});
test.run();
