import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { root, runTool, startTool } from '../kit/tool.ts';
import { runToolHere, startToolHere } from '../kit/tool-here.ts';
import { watchOutput, type WatchedOutput } from '../kit/watch-output.ts';

const schema = `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n) WHERE :n > 0;
CREATE PROJECTION Sums AS SELECT stream_id AS box, SUM(data.n) AS total FROM Reg."Box$Events" GROUP BY stream_id;
`;

interface Served {
  readonly folder: string;
  readonly url: string;
  readonly output: WatchedOutput;
}

/**
 * Builds the schema in a fresh folder, starts the tool there with these words, and passes its address on. In this process where its
 * signals and its death are not looked at.
 */
function served(
  words: readonly string[],
  work: (served: Served) => Promise<void>,
  how: 'process' | 'here' = 'process',
): Promise<void> {
  return withTempFolder(async (folder) => {
    const config = JSON.stringify({ api: { title: 'Boxes' }, http: { limits: { identifierCharacters: 40 } } });
    writeFiles(folder, { 'schema/box.schema': schema, 'schemac.config.json': config });
    if (words[0] === 'start') assert.is((await runToolHere(['build', 'schema'], { cwd: folder })).status, 0);
    const start = how === 'here' ? startToolHere : startTool;
    const output = watchOutput(start([...words, '--port', '0', '--data', 'data'], { cwd: folder }));
    try {
      const [url = ''] = /http:\S+(?=,)/.exec(await output.until(', data ')) ?? [];
      await work({ folder, url, output });
    } finally {
      await output.stop('SIGKILL');
    }
  });
}

const asJson = { Accept: 'application/json', 'Content-Type': 'application/json' };
function put(url: string, n: number): Promise<unknown> {
  const init = { method: 'POST', headers: asJson, body: JSON.stringify({ box_id: 'b', n }) };
  return fetch(`${url}/api/aggregates/Box/execute/Put`, init).then((answer) => answer.json());
}
async function get(url: string, path: string): Promise<unknown> {
  const answer = await fetch(url + path, { headers: asJson });
  return answer.json();
}

test('start serves the output of build, and stops when asked', () =>
  served(['start'], async ({ folder, url, output }) => {
    assert.is(await output.until('\n'), `${join(folder, 'data')}\n`);
    assert.equal(await put(url, 3), [
      { event_type: 'Added', stream_id: 'b', seq: 1, status: 'success', fields: '{"n":3}' },
    ]);
    assert.equal(await get(url, '/api/projections/Sums/query'), [{ box: 'b', total: 3 }]);
    assert.is(
      await (await fetch(`${url}/openapi.json`)).text(),
      readFileSync(join(folder, 'generated/openapi.json'), 'utf8'),
    );
    assert.equal(await get(url, '/api/aggregates/Nope'), { error: "there is no aggregate 'Nope'" });
    assert.is(
      (await fetch(`${url}/api/lang/create`, { method: 'POST', headers: asJson, body: '{"lang":""}' })).status,
      404,
    );
    const second = await runTool(['start', '--port', '0', '--data', 'data'], { cwd: folder });
    assert.is(second.status, 3);
    assert.match(second.stderr, /^schemac: the data directory \S+ is in use by .+\n$/);

    // A tool on the directory joins the server, and says so; its changes are served at once.
    const joined = await runToolHere(['run', '-', '--data', 'data', '--json'], {
      cwd: folder,
      input: 'EXECUTE Put(box_id := \'b\', n := 4); SELECT * FROM Reg."Sums"; SELECT nope;',
    });
    const said = joined.stderr.replace(/\d+\)/, 'PID)');
    assert.equal(
      [joined.status, said],
      [1, `schemac: on ${join(folder, 'data')}, in the server that runs there (process PID)\n`],
    );
    const kinds = joined.stdout.trimEnd().split('\n');
    assert.equal(
      kinds.map((line) => (JSON.parse(line) as { readonly kind: string }).kind),
      ['execute', 'select', 'error'],
    );
    assert.equal(await get(url, '/api/projections/Sums/query'), [{ box: 'b', total: 7 }]);
    const exported = await runToolHere(['log', 'export', '-', '--data', 'data'], { cwd: folder });
    assert.is(exported.status, 0);
    assert.is(exported.stdout.match(/"kind":"command"/g)?.length, 2);
    assert.is(await output.stop(), 0);
    const verified = await runToolHere(['log', 'verify', '--data', 'data'], { cwd: folder });
    assert.match(verified.stdout, 'the log is sound');
  }));

test('a session whose server dies says so, and ends with the status for an error of the environment', () =>
  served(['start'], async ({ folder, output }) => {
    const repl = startTool(['repl', '--data', 'data'], { cwd: folder });
    const said = watchOutput(repl);
    const ended = new Promise((resolve) => repl.once('close', resolve));
    repl.stdin.write('SELECT 1 AS one;\n');
    await said.until('(1 row)');
    await output.stop('SIGKILL');
    repl.stdin.write('SELECT 2 AS two;\n');
    await said.until('has ended; it is not known whether the running statement was executed');
    assert.is(await ended, 3);
    // The files of the dead server do not prevent it.
    const after = await runTool(['repl', '--data', 'data'], { cwd: folder, input: 'SELECT 3 AS three;\n' });
    assert.equal([after.status, after.stderr], [0, '']);
  }));

test('dev: a saved file and a posted block are served, and a file keeps the posted block', () =>
  served(
    ['dev', 'schema'],
    async ({ folder, url, output }) => {
      await put(url, 3);
      const lang = 'CREATE PROJECTION Many AS SELECT COUNT(*) AS n FROM Reg."Box$Events";';
      const posted = await fetch(`${url}/api/lang/create`, {
        method: 'POST',
        headers: asJson,
        body: JSON.stringify({ lang }),
      });
      assert.is(posted.status, 201);
      assert.equal(await get(url, '/api/projections/Many/query'), [{ n: 1 }]);
      await output.until('posted, and saved in schema/created.schema: projection Many\n');
      await output.until('built 2 files, 6 blocks');
      assert.is(
        readFileSync(join(folder, 'schema/created.schema'), 'utf8'),
        'CREATE OR REPLACE PROJECTION Many AS\nSELECT COUNT(*) AS n FROM Reg."Box$Events";\n',
      );
      writeFileSync(
        join(folder, 'schema/box.schema'),
        schema.replace('SUM(data.n) AS total', 'SUM(data.n) * 2 AS doubled'),
      );
      await output.until(' ms: projection Sums\n');
      assert.equal(await get(url, '/api/projections/Sums/query'), [{ box: 'b', doubled: 6 }]);
      assert.equal(await get(url, '/api/projections/Many/query'), [{ n: 1 }]);
      // A schema that cannot be served is reported, and the last good one stays in force.
      writeFileSync(
        join(folder, 'schema/box.schema'),
        schema.replace('n INT);\nCREATE DECISION', 'n STRING);\nCREATE DECISION'),
      );
      await output.until('error[');
      await output.until('the last schema that compiled is still served\n');
      assert.equal(await get(url, '/api/projections/Many/query'), [{ n: 1 }]);
      writeFileSync(join(folder, 'schema/box.schema'), schema);
      await output.until('without errors again: schema/box.schema\n');
      writeFileSync(join(folder, 'schemac.config.json'), '{}');
      await output.until(
        '/schemac.config.json have changed; except for the policy, they take effect at the next start"}',
      );
      assert.is(await output.stop('SIGINT'), 0);
    },
    'here',
  ));

test('dev: a block removed from the files is dropped and its events stay; a posted block survives a kill, and is dropped with its file', () =>
  served(['dev', 'schema'], async ({ folder, url, output }) => {
    const post = async (at: string, lang: string): Promise<number> => {
      const answer = await fetch(`${at}/api/lang/create`, {
        method: 'POST',
        headers: asJson,
        body: JSON.stringify({ lang }),
      });
      return answer.status;
    };
    const file = join(folder, 'schema/box.schema');
    await put(url, 3);
    writeFileSync(file, 'CREATE AGGREGATE Other;');
    await output.until('gone: aggregate Box, command Put, event Added, decision PutIn, projection Sums\n');
    assert.equal(await get(url, '/api/aggregates/Box/state'), { error: "there is no aggregate 'Box'" });
    writeFileSync(file, schema);
    await output.until('gone: aggregate Other\nbuilt 1 file, 5 blocks');
    assert.equal(await get(url, '/api/projections/Sums/query'), [{ box: 'b', total: 3 }]);
    // No block comes into force that the files cannot contain.
    const created = join(folder, 'schema/created.schema');
    writeFileSync(created, '', { mode: 0o444 });
    assert.is(await post(url, 'CREATE PROJECTION Many AS SELECT 1 AS n;'), 503);
    assert.equal(await get(url, '/api/projections/Many/query'), { error: "there is no projection 'Many'" });
    chmodSync(created, 0o644);
    const store = "CREATE EVENTSTORE Other WITH (durable.type = 'memory');";
    assert.is(await post(url, `CREATE PROJECTION Many AS SELECT 1 AS n; ${store}`), 201);
    await output.stop('SIGKILL');
    // A posted store is in the files, and is not the one that is opened.
    const words = ['dev', 'schema', '--port', '0'];
    for (const wanted of [[{ n: 1 }], { error: "there is no projection 'Many'" }]) {
      const again = watchOutput(startToolHere(words, { cwd: folder }));
      try {
        const [at = ''] = /http:\S+(?=,)/.exec(await again.until(', data ')) ?? [];
        assert.is(await again.until('\n'), `${join(folder, 'data')}\n`);
        assert.equal(await get(at, '/api/projections/Many/query'), wanted);
      } finally {
        await again.stop();
      }
      rmSync(created, { force: true });
    }
  }));

test('repl --url talks to a server over HTTP', () =>
  served(
    ['dev', 'schema'],
    async ({ url }) => {
      const input = `EXECUTE Put(box_id := 'b', n := 2) WITH (command_id = 'c');
EXECUTE Put(box_id := 'b', n := 2) WITH (command_id = 'c');
EXECUTE Put(box_id := 'b', n := -1);
SELECT box, total FROM Reg."Sums";
CREATE AGGREGATE Other;
DESCRIBE AGGREGATES;
VALIDATE REGISTRY;
SELECT nope;
`;
      const { status, stdout, stderr } = await runToolHere(['repl', '--url', url], { input });
      assert.fixture(
        stdout,
        `  ✓ Added
    stream_id:     b
    seq:           1
    n:             2
1 event(s) emitted.
  ✓ Added
    stream_id:     b
    seq:           1
    n:             2
1 event(s) replayed.
  ✗ REJECTED
    decision:  PutIn
    guard:     :n > 0
    command:   box_id = 'b', n = -1
 box | total
-----+-------
 b   |     2
(1 row)
aggregate Other created
 name  | summary
-------+-----------
 Box   | Added
 Other | no events
(2 rows)
`,
      );
      assert.match(stderr, /error\[H0\]: this statement cannot be run over HTTP/);
      assert.match(stderr, /error\[E0203\]: .*nope/);
      assert.is(status, 1);
    },
    'here',
  ));

test('repl --url: no server, or an unknown protocol', async () => {
  const { status, stderr } = await runToolHere(['repl', '--url', 'http://127.0.0.1:65533']);
  assert.is(status, 3);
  assert.is(stderr, 'schemac: http://127.0.0.1:65533 does not answer: connect ECONNREFUSED 127.0.0.1:65533\n');
  assert.is((await runToolHere(['repl', '--url', 'ftp://x'])).status, 2);
});

const faults: [name: string, words: string[], status: number, stderr: RegExp][] = [
  [
    'nothing was built',
    ['start', 'nowhere'],
    1,
    /^schemac: there is no generated server in 'nowhere'; 'schemac build' makes one\n$/,
  ],
  [
    'beyond the loopback without a policy',
    ['start', '--host', '0.0.0.0'],
    2,
    /^schemac: refusing to listen on '0\.0\.0\.0'.*--insecure\n$/,
  ],
  [
    'a data directory that cannot be',
    ['start', '--data', '/dev/null/x'],
    3,
    /^schemac: the data directory \/dev\/null\/x cannot be used: ENOTDIR: .*\n$/,
  ],
  [
    'an event store that is not there',
    ['start', '--eventstore', 'prod'],
    1,
    /^schemac: event store prod: the schema has no event store\n$/,
  ],
  [
    'a policy with a role that is not there',
    ['start', '--config', 'bad.json'],
    1,
    /^schemac: \S+bad\.json: 'me' has an unknown role 'x'\n$/,
  ],
];
for (const [name, words, status, stderr] of faults) {
  test(`refused: ${name}`, () =>
    withTempFolder(async (folder) => {
      const token = { sha256: 'a'.repeat(64), subject: 'me', roles: ['x'] };
      writeFiles(folder, {
        'schema/a.schema': schema,
        'bad.json': JSON.stringify({ auth: { tokens: [token], roles: {} } }),
      });
      await runToolHere(['build', 'schema'], { cwd: folder });
      const result = await runToolHere(words, { cwd: folder });
      assert.equal([result.status, result.stdout], [status, '']);
      assert.match(result.stderr, stderr);
    }));
}

test('refused: a port in use', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'schema/a.schema': schema });
    await runToolHere(['build', 'schema'], { cwd: folder });
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const result = await runToolHere(['start', '--port', String(port)], { cwd: folder });
    other.close();
    assert.equal(result, {
      status: 3,
      stdout: '',
      stderr: `schemac: port ${port} on 127.0.0.1 is taken; name another one with --port\n`,
    });
  }));

test('a new project builds, passes its test, and runs', () =>
  withTempFolder(async (folder) => {
    const begun = await runTool(['init', 'shop'], { cwd: folder });
    assert.is(begun.status, 0, begun.stderr);
    const cwd = join(folder, 'shop');
    mkdirSync(join(cwd, 'node_modules'));
    symlinkSync(root, join(cwd, 'node_modules/schemac'));
    const { scripts } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const run = (script: string): string[] => (scripts[script] ?? '').split(' ').slice(1);
    const tested = await runToolHere(run('test'), { cwd });
    assert.equal([tested.status, tested.stderr], [0, '']);
    assert.match(tested.stdout, /\n\d+ passed, 0 failed\n$/);
    assert.is((await runToolHere(run('build'), { cwd })).status, 0);
    assert.is((await runToolHere(['fmt', '--check', 'schema', 'tests'], { cwd })).status, 0);
    const output = watchOutput(startTool([...run('start'), '--port', '0'], { cwd }));
    assert.match(await output.until('/data\n'), `data ${join(cwd, 'data')}`);
    assert.is(await output.stop(), 0);
  }));

test.run();
