/** The state after a command was interrupted: by a signal, a missing permission, a closed pipe, a full disk. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { program, startTool, withoutSettings, type ToolResult } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { watchOutput } from '../kit/watch-output.ts';

const schema = `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n);
CREATE PROJECTION Sums AS SELECT stream_id AS box, SUM(data.n) AS total FROM Reg."Box$Events" GROUP BY stream_id;
`;
const endless = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
SELECT COUNT(*) AS c FROM n AS a CROSS JOIN n AS b CROSS JOIN n AS c;
`;
const puts = (count: number): string =>
  Array.from({ length: count }, (_, index) => `EXECUTE Put(box_id := 'b${index % 7}', n := 1);\n`).join('');

/** The status, and the signal if one ended it. */
function ended(child: ChildProcess): Promise<readonly [status: number | null, signal: string | null]> {
  return new Promise((resolve) => child.once('close', (status, signal) => resolve([status, signal])));
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} ends run at once; finished statements stay, and the next run works`, () =>
    withTempFolder(async (folder) => {
      writeFiles(folder, { 'a.schema': `${schema}${puts(1)}${endless}`, 'b.schema': 'SELECT * FROM Reg."Sums";' });
      const child = startTool(['run', 'a.schema', '--data', 'data'], { cwd: folder });
      const end = ended(child);
      await watchOutput(child).until('1 event(s) emitted.');
      child.kill(signal);
      assert.equal(await end, [null, signal]);
      const { status, stdout } = await runToolHere(['run', 'b.schema', '--data', 'data'], { cwd: folder });
      assert.equal([status, stdout], [0, ' box | total\n-----+-------\n b0  |     1\n(1 row)\n']);
    }));
}

test('SIGTERM ends test, and a prompt that reads a pipe', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'a.schema': endless });
    for (const words of [['test', 'a.schema'], ['repl']]) {
      const child = startTool(words, { cwd: folder });
      child.stdin.write('SELECT 1;\n');
      const end = ended(child);
      if (words[0] === 'repl') await watchOutput(child).until('(1 row)');
      else await new Promise((resolve) => setTimeout(resolve, 300));
      child.kill('SIGTERM');
      assert.equal(await end, [null, 'SIGTERM']);
    }
  }));

test('SIGTERM during start and dev lets them finish, and ends them with 0', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'schema/a.schema': schema });
    await runToolHere(['build', 'schema'], { cwd: folder });
    for (const words of [['start'], ['dev', 'schema']]) {
      const output = watchOutput(startTool([...words, '--port', '0', '--data', 'data'], { cwd: folder }));
      await output.until('serving on');
      assert.is(await output.stop('SIGTERM'), 0);
      assert.equal(
        readdirSync(join(folder, 'data')).filter((name) => /^(lock|session|starting)/.test(name)),
        [],
      );
    }
  }));

test('a killed import leaves no log and can be repeated', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'a.schema': `${schema}${puts(30)}` });
    await runToolHere(['run', 'a.schema', '--data', 'data'], { cwd: folder });
    await runToolHere(['log', 'export', 'all.jsonl', '--data', 'data'], { cwd: folder });
    const exported = spawnSync('head', ['-n', '20', 'all.jsonl'], { cwd: folder, encoding: 'utf8' }).stdout;
    const child = startTool(['log', 'import', '-', '--data', 'new'], { cwd: folder });
    const end = ended(child);
    child.stdin.write(exported);
    while (!existsSync(join(folder, 'new/importing'))) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGTERM');
    assert.equal(await end, [null, 'SIGTERM']);
    assert.equal(readdirSync(join(folder, 'new')), ['importing']);
    const again = await runToolHere(['log', 'import', 'all.jsonl', '--data', 'new'], { cwd: folder });
    assert.equal([again.status, again.stderr], [0, '']);
    assert.is((await runToolHere(['log', 'verify', '--data', 'new'], { cwd: folder })).status, 0);
    assert.not(readdirSync(join(folder, 'new')).includes('importing'));
  }));

/** Root may read everything, so this runs as another user. */
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const refusals: [words: string[], status: number, stderr: RegExp][] = [
  [['check', 'secret.schema'], 3, /^schemac: secret\.schema cannot be read: EACCES/],
  [['check', 'closed'], 3, /^schemac: .*closed cannot be read: EACCES/],
  [['run', 'secret.schema'], 3, /^schemac: secret\.schema cannot be read: EACCES/],
  [['fmt', 'fixed.schema'], 3, /^schemac: EACCES: permission denied, open '.*fixed\.schema'\n$/],
  [['build', 'a.schema', '-o', 'fixed/out'], 3, /^schemac: the folder .*out cannot be made: EACCES/],
  [['add', 'template', 'entity', '--to', 'fixed'], 3, /^schemac: EACCES: permission denied, mkdir/],
  [['test', 'a.schema', '--junit', 'fixed/r.xml'], 3, /^schemac: the JUnit report cannot be written: EACCES/],
  [['run', 'a.schema', '--data', 'fixed/data'], 3, /^schemac: the data directory .* cannot be used: EACCES/],
  [['run', 'a.schema', '--data', 'theirs'], 3, /^schemac: the data directory .* cannot be used: .*EACCES/],
  [['log', 'dump', '--data', 'theirs'], 3, /^schemac: EACCES: permission denied, open '.*\/log\.manifest'\n$/],
  [['log', 'import', 'secret.schema', '--data', 'new'], 3, /^schemac: EACCES: permission denied, open/],
  [['check', 'a.schema', '--config', 'secret.schema'], 3, /^schemac: EACCES: permission denied, open/],
];
(isRoot ? test : test.skip)('what may not be read or written is the fault of the environment, in one line', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, {
      'a.schema': schema,
      'secret.schema': schema,
      'fixed.schema': 'select   1;',
      'closed/a.schema': schema,
    });
    await runToolHere(['run', 'a.schema', '--data', 'theirs'], { cwd: folder });
    mkdirSync(join(folder, 'fixed'));
    chownSync(folder, nobody, nobody);
    chmodSync(folder, 0o755);
    chmodSync(join(folder, 'theirs'), 0o755);
    for (const name of ['secret.schema', 'closed']) chmodSync(join(folder, name), 0o600);
    // In this process, with the rights of another user: all its threads have them.
    const asNobody = async (words: readonly string[]): Promise<ToolResult> => {
      process.setegid?.(nobody);
      process.seteuid?.(nobody);
      try {
        return await runToolHere(words, { cwd: folder, environment: { HOME: '/nonexistent', TMPDIR: folder } });
      } finally {
        process.seteuid?.(0);
        process.setegid?.(0);
      }
    };
    for (const [words, status, stderr] of refusals) {
      const result = await asNobody(words);
      assert.is(result.status, status, `${words.join(' ')}: ${result.stderr}`);
      assert.match(result.stderr, stderr);
      assert.is(result.stderr.split('\n').length, 2);
    }
    // Joining a server of another user is refused.
    const output = watchOutput(startTool(['dev', 'a.schema', '--port', '0', '--data', 'theirs'], { cwd: folder }));
    await output.until('serving on');
    const met = await asNobody(['repl', '--data', 'theirs']);
    assert.is(await output.stop(), 0);
    assert.is(met.status, 3);
    assert.match(met.stderr, /is in use by a server of another user/);
  }),
);

/** Runs it, reads the first bytes of its output, then stops reading. */
function readLittle(
  words: readonly string[],
  folder: string,
): Promise<readonly [status: number | null, stderr: string]> {
  const child = spawn(process.execPath, [...program, ...words], { cwd: folder, env: withoutSettings() });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdout.once('data', () => child.stdout.destroy());
  child.stdin.end();
  return new Promise((resolve) => child.once('close', (status) => resolve([status, stderr])));
}

test('a reader that stops early ends only the output, and is no error', () =>
  withTempFolder(async (folder) => {
    const many = Array.from({ length: 300 }, (_, index) => `CREATE EVENT E${index} (a INT);\n`).join('');
    const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) SELECT i FROM n;\n`;
    writeFiles(folder, {
      'many.schema': many,
      'seed.schema': `${schema}${rows}${puts(40)}`,
      'bad.schema': `${rows}--= rows []\n`,
    });
    const statuses: [words: string[], status: number][] = [
      [['run', 'seed.schema', '--data', 'data'], 0],
      [['log', 'dump', '--data', 'data'], 0],
      [['log', 'export', '-', '--data', 'data'], 0],
      [['export', 'many.schema'], 0],
      [['validate', 'many.schema'], 0],
      [['check', 'many.schema', '--json'], 0],
      [['test', 'bad.schema', '--json'], 1],
    ];
    for (const [words, expected] of statuses) {
      const [status, stderr] = await readLittle(words, folder);
      assert.equal([status, stderr.replace(/^the export contains .*\n/, '')], [expected, ''], words.join(' '));
    }
    writeFiles(folder, { 'sum.schema': 'SELECT SUM(total) AS n FROM Reg."Sums";' });
    assert.match((await runToolHere(['run', 'sum.schema', '--data', 'data'], { cwd: folder })).stdout, ' 40\n');
  }));

test('a file that cannot grow is an error of the environment, and leaves no partial file', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'a.schema': `${schema}${puts(30)}` });
    await runToolHere(['run', 'a.schema', '--data', 'data'], { cwd: folder });
    const limited = (words: string): ToolResult =>
      spawnSync(
        'bash',
        ['-c', `trap '' XFSZ; ulimit -f 4; exec "$@"`, 'bash', process.execPath, ...program, ...words.split(' ')],
        {
          cwd: folder,
          env: withoutSettings(),
          encoding: 'utf8',
        },
      );
    const exported = limited('log export all.jsonl --data data');
    assert.equal([exported.status, exported.stderr], [3, 'schemac: EFBIG: file too large, write\n']);
    assert.equal(readdirSync(folder).sort(), ['a.schema', 'data']);
    const built = limited('build a.schema');
    assert.is(built.status, 3);
    assert.match(built.stderr, /^schemac: EFBIG: file too large, write\n$/);
    assert.ok(statSync(join(folder, 'data')).isDirectory());
  }));

test.run();
