import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { runTool, startTool } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { watchOutput } from '../kit/watch-output.ts';

const schema = `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, n INT, pin STRING SENSITIVE);
CREATE EVENT Added (n INT, pin STRING SENSITIVE);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n, pin := :pin) WHERE :n > 0;
`;
const files = {
  'schema/box.schema': schema,
  'rows.json': '[{"box_id":"a","n":1,"pin":"1111"},{"box_id":"b","n":0,"pin":"2222"}]',
  'put.schema': "EXECUTE Put(box_id := 'a', n := 5, pin := '4711');",
};

test('inspect shows the outcomes for the rows of a file', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, files);
    const words = ['inspect', 'DECISION', 'PutIn', 'FROM', 'wanted', 'INTO', 'would'];
    const from = ['--table', 'wanted=rows.json', '--schema', 'schema'];
    const { status, stdout, stderr } = await runToolHere([...words, ...from], { cwd: folder });
    assert.equal([status, stderr], [0, '']);
    assert.match(stdout, /^inspected into would: 2 row\(s\), 1 rejected\n/);
    assert.match(stdout, '(2 rows)');
    assert.not.match(stdout, '1111');
    const json = await runToolHere([...words, ...from, '--json'], { cwd: folder });
    assert.match(
      json.stdout,
      /^{"statement_line":1,"kind":"inspect","into":"would","rows":2,"rejected":1}\n{.*"kind":"select"/,
    );
    const other = await runToolHere(['inspect', 'DECISION', 'Nope', 'FROM', 'wanted', 'INTO', 'x', ...from], {
      cwd: folder,
    });
    assert.is(other.status, 1);
    assert.match(other.stderr, /^command line:1:18 error\[E0201\]: .*Nope/);
    for (const [given, message] of [
      ['wanted', "schemac: --table takes name=file, not 'wanted'\n"],
      ['wanted=put.schema', /^schemac: the table file 'put.schema' cannot be read: not JSON/],
      ['wanted=nowhere', /^schemac: the table file 'nowhere' cannot be read/],
    ] as const) {
      assert.match((await runToolHere([...words, '--table', given], { cwd: folder })).stderr, message);
    }
  }));

test('errors of a piped prompt are at their lines of the input', () =>
  withTempFolder(async (folder) => {
    const input = 'SELECT 1 AS one;\n\nSELECT\n  nope;\nDESCRIBE Nope;\nSELECT 2 AS two\n\\q\n';
    const { status, stdout, stderr } = await runToolHere(['repl'], { cwd: folder, input });
    assert.equal(
      [status, stderr.match(/^input:\S+ \w+\[\w+\]|^ *\d+ \| .*$/gm)],
      [1, ['input:4:3 error[E0203]', ' 4 |   nope;', 'input:5:10 error[R0106]', ' 5 | DESCRIBE Nope;']],
    );
    assert.not.match(stdout, 'two');
  }));

test('describe, validate and export read files and a store', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, files);
    await runToolHere(['run', 'schema/box.schema', '--data', 'data'], { cwd: folder });
    for (const from of [
      ['--schema', 'schema'],
      ['--data', 'data'],
    ]) {
      const described = await runToolHere(['describe', 'decision', 'PutIn', ...from], { cwd: folder });
      assert.equal([described.status, described.stderr], [0, '']);
      assert.match(described.stdout, 'CREATE DECISION PutIn');
    }
    const all = await runToolHere(['describe', 'events', '--schema', 'schema'], { cwd: folder });
    assert.match(all.stdout, 'Added');
    assert.is((await runToolHere(['describe', 'event', 'Nope', '--schema', 'schema'], { cwd: folder })).status, 1);
    const fromFiles = await runToolHere(['export', 'schema'], { cwd: folder });
    assert.is((await runToolHere(['export', '--data', 'data'], { cwd: folder })).stdout, fromFiles.stdout);
    assert.equal((await runToolHere(['validate', 'schema'], { cwd: folder })).status, 0);
    const typo = `CREATE EVENT Nobody ();\n\nCREATE PROJECTION Puts AS SELECT seq FROM Reg."Box$Events"\n  WHERE event_type = 'Aded';\n`;
    writeFiles(folder, { 'schema/more.schema': typo });
    const found = await runToolHere(['validate', 'schema'], { cwd: folder });
    assert.equal(
      found.stdout.split('\n').filter((line) => line.includes('E10')),
      [
        "schema/more.schema:1:14 warning[E1002]: no decision emits event 'Nobody'",
        "schema/more.schema:4:22 warning[E1009]: projection 'Puts' compares event_type with 'Aded', which never occurs in the relation it reads; did you mean 'Added'?",
      ],
    );
    const listed = await runToolHere(['validate', 'schema', '--json'], { cwd: folder });
    const { rows } = JSON.parse(listed.stdout) as { readonly rows: readonly (readonly unknown[])[] };
    assert.equal(
      rows.map((row) => row.slice(4)),
      [
        ['schema/more.schema', 1, 14],
        ['schema/more.schema', 4, 22],
      ],
    );
    // With the registry of a store, lines of files have no meaning.
    const stored = await runToolHere(['validate', 'schema', '--data', 'data'], { cwd: folder });
    assert.not.match(stored.stdout, 'schema');
    assert.match(stored.stdout, 'Nobody');
  }));

test('sensitive values are never shown; a whole export contains them and says so', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, files);
    const run = (...words: string[]) => runToolHere(words, { cwd: folder });
    const put = await run('run', 'schema/box.schema', 'put.schema', '--data', 'data');
    assert.match(put.stdout, '    pin:           ****\n');
    const dumped = await run('log', 'dump', '--data', 'data');
    assert.match(dumped.stdout, /\\"pin\\":\\"\*{4}\\"/);
    for (const { stdout, stderr } of [put, dumped, await run('log', 'verify', '--data', 'data')]) {
      assert.not.match(stdout + stderr, '4711');
    }
    const exported = await run('log', 'export', 'all.jsonl', '--data', 'data');
    assert.equal(exported, { status: 0, stdout: '', stderr: 'the export contains sensitive values in the clear\n' });
    assert.match(readFileSync(join(folder, 'all.jsonl'), 'utf8'), '4711');
    assert.is(statSync(join(folder, 'all.jsonl')).mode & 0o777, 0o600);
    assert.match(
      (await run('log', 'export', 'all.jsonl', '--data', 'data')).stderr,
      "schemac: 'all.jsonl' already exists\n",
    );
    const counted = await run('log', 'export', 'counted.jsonl', '--data', 'data', '--json');
    assert.equal(JSON.parse(counted.stdout), {
      file: join(folder, 'counted.jsonl'),
      entries: lines(folder, 'counted.jsonl'),
    });
    assert.is((await run('log', 'export', '-', '--data', 'data', '--json')).status, 2);
    const filled = await run('log', 'import', 'all.jsonl', '--data', 'filled', '--json');
    assert.equal((JSON.parse(filled.stdout) as { events: number }).events, 1);
    const imported = await run('log', 'import', 'all.jsonl', '--data', 'other');
    assert.match(imported.stdout, /^imported \d+ entries, 1 events to /);
    const again = await run('log', 'export', '-', '--data', 'other');
    assert.is(again.stdout, readFileSync(join(folder, 'all.jsonl'), 'utf8'));
    assert.is((await run('log', 'import', 'put.schema', '--data', 'third')).status, 1);
    assert.is((await run('log', 'import', 'nowhere', '--data', 'third')).status, 1);
    assert.is((await run('log', 'verify', '--data', 'nowhere')).status, 1);
  }));

test('the prompt reads a pipe', async () => {
  const input = `SELECT 1 AS a,
  'x' AS b;
\\x
SELECT 1 AS a, 'x' AS b;
CREATE AGGREGATE A; CREATE AGGREGATE B;
\\d
\\i nowhere.schema
SELECT c;
SELECT 2`;
  const { status, stdout, stderr } = await runTool(['repl'], { input });
  assert.fixture(
    stdout,
    ` a | b
---+---
 1 | x
(1 row)
expanded rows are on
-[ 1 ]
a | 1
b | x
(1 row)
aggregate A created
aggregate B created
  aggregate  A
  aggregate  B
-[ 1 ]-----
?column? | 2
(1 row)
`,
  );
  assert.match(stderr, /^schemac: there is no file or folder 'nowhere\.schema'\ninput:8:8 error\[E0203\]/);
  assert.is(status, 1);
});

test('a file that the prompt includes; leaving early', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, files);
    const { status, stdout } = await runToolHere(['repl'], {
      cwd: folder,
      input: '\\i schema/box.schema\n\\q\nSELECT 1;\n',
    });
    assert.is(status, 0);
    assert.match(stdout, 'decision PutIn created');
    assert.not.match(stdout, '(1 row)');
  }));

test('a prompt on a directory keeps what was done', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, files);
    const input = "EXECUTE Put(box_id := 'a', n := 5, pin := '4711');\n";
    const first = await runToolHere(['repl', 'schema', '--data', 'data'], { cwd: folder, input });
    assert.match(first.stdout, 'seq:           1');
    const second = await runToolHere(['repl', '--data', 'data'], { cwd: folder, input });
    assert.match(second.stdout, 'seq:           2');
  }));

test('a prompt on a schema does not warn about fields of a later block', () =>
  withTempFolder(async (folder) => {
    const total = 'CREATE AGGREGATE Box (total BIGINT AS SUM(data.n));';
    writeFiles(folder, { 'schema/box.schema': schema.replace('CREATE AGGREGATE Box;', total) });
    const { stdout, stderr } = await runToolHere(['repl', 'schema'], { cwd: folder, input: 'SELECT 1 AS one;\n' });
    assert.equal([stdout, stderr], [' one\n-----\n   1\n(1 row)\n', '']);
  }));

test('a named event store is read as it is, and never written', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, files);
    await runToolHere(['run', 'schema/box.schema', 'put.schema', '--data', 'prod'], { cwd: folder });
    const input = `CREATE EVENTSTORE prod WITH (durable.path = 'prod');
\\store
SELECT COUNT(*) AS here FROM Reg.meta_events;
\\store prod
SELECT COUNT(*) AS there FROM Reg."Box$Events";
EXECUTE Put(box_id := 'a', n := 5, pin := '4711');
\\store
\\store Reg
\\store nope
`;
    const { stdout, stderr } = await runToolHere(['repl'], { cwd: folder, input });
    assert.fixture(
      stdout.replaceAll(folder, 'DIR'),
      `eventstore prod created
* Reg
  prod
 here
------
    0
(1 row)
on prod (DIR/prod), read-only, as of event 1
 there
-------
     1
(1 row)
  Reg
* prod
on the session's own store
`,
    );
    assert.match(stderr, /error\[R0402\]: the store is read-only: .* is opened read-only/);
    assert.match(stderr, 'schemac: event store nope: there are Reg, prod\n');
    const verified = await runToolHere(['log', 'dump', '--data', 'prod'], { cwd: folder });
    assert.is(verified.stdout.match(/"kind":"command"/g)?.length, 1);
  }));

test('an internal error is one line, and says how to see more', () =>
  withTempFolder(async (folder) => {
    // The easiest way to cause an internal error from outside: reading the product's own folder fails.
    writeFiles(folder, {
      'preload.mjs':
        "import { createRequire } from 'node:module';\nconst fs = createRequire(import.meta.url)('node:fs');\nfs.readdirSync = () => { throw new Error('boom\\nsecond'); };\n(await import('node:module')).syncBuiltinESMExports();\n",
    });
    const environment = { NODE_OPTIONS: `--import ${join(folder, 'preload.mjs')}` };
    const quiet = await runTool(['add', 'template'], { cwd: folder, environment });
    assert.equal(quiet, {
      status: 1,
      stdout: '',
      stderr: 'schemac: internal error: boom\nThis is a bug in schemac. SCHEMAC_DEBUG=1 shows where it happened.\n',
    });
    const loud = await runTool(['add', 'template'], {
      cwd: folder,
      environment: { ...environment, SCHEMAC_DEBUG: '1' },
    });
    assert.match(loud.stderr, /^schemac: internal error: Error: boom\nsecond\n {4}at /);
  }));

test('a command without an end of its own ends with 0 on SIGINT', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'a.schema': 'SELECT 1;\n--= rows [[1]]\n' });
    const output = watchOutput(startTool(['test', 'a.schema', '--watch'], { cwd: folder }));
    await output.until('1 passed, 0 failed');
    await output.until('watching for changes');
    writeFiles(folder, { 'a.schema': 'SELECT 2;\n--= rows [[1]]\n' });
    await output.until('0 passed, 1 failed');
    assert.is(await output.stop('SIGINT'), 0);
  }));

/** The lines of an export between its head and its end. */
function lines(folder: string, path: string): number {
  return readFileSync(join(folder, path), 'utf8').trimEnd().split('\n').length - 2;
}

test.run();
