import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { runTool, startTool } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { watchOutput } from '../kit/watch-output.ts';

const good = `CREATE AGGREGATE Box;
--= created created
CREATE COMMAND Put (box_id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n) WHERE :n > 0;
EXECUTE Put(box_id := 'b', n := 2);
--= emitted [{"seq":1,"data":{"n":2.0}}]
EXECUTE Put(box_id := 'b', n := 0);
--= rejected
SELECT nothing;
--= error "nothing"
`;
const bad = `SELECT 1 AS a;
--= rows [[2]]
SELECT 2;
--= rows [[2]]
SELECT broken;
`;

test('each script is a session of its own; the report names each mismatch', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'tests/a.schema': good, 'tests/b.schema': bad, 'tests/c.schema': good });
    const result = await runTool(['test', 'tests'], { cwd: folder });
    assert.is(result.stderr, '');
    assert.fixture(
      result.stdout.replace(/E\d{4} 5:8 .*/, 'E… 5:8 …'),
      `✓ tests/a.schema  4 passed
✗ tests/b.schema  1 passed, 2 failed
    tests/b.schema:2  rows [[2]]
      the rows differ
        - [2]
        + [1]
    tests/b.schema:5  not to fail
      the statement failed: E… 5:8 …
✓ tests/c.schema  4 passed
9 passed, 2 failed
`,
    );
    assert.is(result.status, 1);
  }));

test('coverage, JUnit and JSON', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, {
      'a.schema': good.replace("EXECUTE Put(box_id := 'b', n := 0);\n--= rejected\n", ''),
      'b.schema': bad,
    });
    const words = ['test', 'a.schema', 'b.schema', '--coverage', '--junit', 'report.xml'];
    const text = await runToolHere(words, { cwd: folder });
    assert.match(text.stdout, /^coverage: 1 of 2\n {2}not reached: PutIn rejects\n4 passed, 2 failed\n$/m);
    const report = readFileSync(join(folder, 'report.xml'), 'utf8');
    assert.match(report, '<testsuites name="schemac" tests="6" failures="2">');
    assert.match(report, '<testcase classname="b.schema" name="line 2: rows [[2]]">');
    assert.match(report, '<failure message="the rows differ">the rows differ&#10;- [2]&#10;+ [1]</failure>');
    const json = JSON.parse(
      (await runToolHere(['test', 'a.schema', '--json', '--coverage'], { cwd: folder })).stdout,
    ) as {
      passed: number;
      failed: number;
      coverage: unknown;
    };
    assert.equal(
      [json.passed, json.failed, json.coverage],
      [3, 0, { reached: ['PutIn emits'], missed: ['PutIn rejects'] }],
    );
  }));

const reacting = `${good.split('EXECUTE')[0] ?? ''}CREATE REACTION Again ON EVENT Added
BRANCH Now EXECUTE Put (box_id := 'other', n := 0) WHERE :stream_id = 'b'
UNION ALL BRANCH Later EXECUTE Put (box_id := 'other', n := 0) AFTER 1 DAY;
EXECUTE Put(box_id := 'b', n := 2);
--= ok
`;

test('coverage counts branches of reactions, and --fail-under asks for a part of all', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'a.schema': reacting });
    const run = (...words: readonly string[]): Promise<unknown> =>
      runToolHere(['test', 'a.schema', ...words], { cwd: folder });
    const stdout = `✓ a.schema  2 passed
coverage: 3 of 4
  not reached: Again, branch Later, executes
2 passed, 0 failed
`;
    assert.equal(await run('--coverage'), { status: 0, stdout, stderr: '' });
    assert.equal(await run('--fail-under', '75'), { status: 0, stdout, stderr: '' });
    const stderr = 'coverage is 75 %, less than --fail-under 75.1\n';
    assert.equal(await run('--fail-under', '75.1'), { status: 1, stdout, stderr });
    for (const given of ['101', 'all', '-1', ''])
      assert.equal(await run(`--fail-under=${given}`), {
        status: 2,
        stdout: '',
        stderr: `schemac: --fail-under takes a percentage from 0 to 100, not '${given}'\n`,
      });
    writeFiles(folder, { 'a.schema': `${reacting}ADVANCE CLOCK 1 DAY;\n--= ok\n` });
    assert.equal(await run('--fail-under', '100'), {
      status: 0,
      stdout: '✓ a.schema  3 passed\ncoverage: 4 of 4\n3 passed, 0 failed\n',
      stderr: '',
    });
  }));

const dated = `${good.split('EXECUTE')[0] ?? ''}EXECUTE Put(box_id := 'b', n := 1);
--= ok
SELECT occurred_at, CURRENT_TIMESTAMP AS now FROM Reg."Box$Events";
--= rows [["2024-02-29T07:00:00.000000Z","2024-02-29T07:00:00.000000Z"]]
ADVANCE CLOCK 1 DAY;
--= ok
EXECUTE Put(box_id := 'b', n := 2);
SELECT occurred_at, CURRENT_DATE AS today FROM Reg."Box$Events" WHERE seq = 2;
--= rows [["2024-03-01T07:00:00.000000Z","2024-03-01"]]
ADVANCE CLOCK TO TIMESTAMP '2024-03-01T00:00:00Z';
--= error R0604
`;

test('--clock begins at a moment of the past, and stays until the clock is moved', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'a.schema': dated });
    const clock = '--clock=2024-02-29T08:00:00+01:00';
    assert.equal(await runToolHere(['test', 'a.schema', clock], { cwd: folder }), {
      status: 0,
      stdout: '✓ a.schema  6 passed\n6 passed, 0 failed\n',
      stderr: '',
    });
    writeFiles(folder, { 'b/schemac.config.json': '{"clock": "2024-02-29T07:00:00Z"}', 'b/a.schema': dated });
    assert.is((await runToolHere(['test', 'a.schema'], { cwd: join(folder, 'b') })).status, 0);
    writeFiles(folder, { 'b/schemac.config.json': '{"clock": "soon"}' });
    assert.equal(await runToolHere(['test', 'a.schema'], { cwd: join(folder, 'b') }), {
      status: 1,
      stdout: '',
      stderr: `schemac: ${join(folder, 'b/schemac.config.json')}: 'clock' is not an ISO 8601 time at which the time of each script of test begins, such as 2026-01-31T08:00:00Z\n`,
    });
    const shown = await runToolHere(['run', 'a.schema', '--keep-going', '--json', clock], { cwd: folder });
    assert.match(shown.stdout, '"rows":[["2024-02-29T07:00:00.000000Z","2024-02-29T07:00:00.000000Z"]]');
    const stores =
      '--clock goes neither with --data nor with --eventstore: stored events follow the clock of the system';
    for (const [words, said] of [
      [['run', 'a.schema', clock, '--data', 'data'], stores],
      [
        ['test', 'a.schema', '--clock=soon'],
        "--clock takes an ISO 8601 time from 1970 on, such as 2026-01-31T08:00:00Z, not 'soon'",
      ],
      [
        ['run', 'a.schema', '--clock=1969-12-31'],
        "--clock takes an ISO 8601 time from 1970 on, such as 2026-01-31T08:00:00Z, not '1969-12-31'",
      ],
      [
        ['repl', '--url', 'http://127.0.0.1:1', clock],
        '--url goes with neither schema files nor --data, --eventstore or --clock',
      ],
    ] as const)
      assert.equal(await runToolHere(words, { cwd: folder }), { status: 2, stdout: '', stderr: `schemac: ${said}\n` });
  }));

test('--allow-rejected lets an EXECUTE without an expectation be rejected', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'a.schema': good.replace('--= rejected\n', '') });
    const statuses: unknown[] = [];
    for (const words of [[], ['--allow-rejected']])
      statuses.push((await runToolHere(['test', 'a.schema', ...words], { cwd: folder })).status);
    assert.equal(statuses, [1, 0]);
  }));

/** XML 1.0 allows no other characters, escaped or not. */
const isXmlText = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

test('a JUnit report is XML and of bounded size, whatever the scripts hold', () =>
  withTempFolder(async (folder) => {
    const hostile = ']]></failure> & \u0000\u0007\u001b[2J \ufffe \\ \u2028';
    writeFiles(folder, {
      'a<b>&".schema': `SELECT '${hostile.replace('\u0000', '')}' AS a;\n--= rows [[${JSON.stringify(hostile)}]]\n--= ${hostile}\n`,
      'long.schema': `SELECT REPEAT('x', 1000000) AS a;\n--= rows [["x"]]\n`,
    });
    await runToolHere(['test', '.', '--junit', 'r.xml'], { cwd: folder });
    const report = readFileSync(join(folder, 'r.xml'), 'utf8');
    assert.ok(isXmlText.test(report));
    assert.ok(report.length < 5000, String(report.length));
    const outside = report.replace(/<[^<>]*>/g, '');
    assert.not.match(outside, /[<>]|&(?!(?:amp|lt|gt|quot|apos|#\d+);)/);
    const tags = [...report.matchAll(/<(\/?)(\w+)[^<>]*?(\/?)>/g)].filter(([, , , closed]) => closed === '');
    const open: string[] = [];
    for (const [, end, name = ''] of tags)
      if (end === '') open.push(name);
      else assert.is(open.pop(), name);
    assert.equal(open, []);
  }));

test('a script that does not end is stopped, and the others run', () =>
  withTempFolder(async (folder) => {
    const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)';
    const endless = `${numbers} SELECT COUNT(*) AS c FROM n AS a CROSS JOIN n AS b CROSS JOIN n AS c;`;
    writeFiles(folder, {
      'a.schema': good,
      'b.schema': `SELECT 1;\n--= ok\n${endless}\nSELECT 2;\n--= ok\n`,
      'c.schema': good,
    });
    const { status, stdout } = await runToolHere(['test', '.', '--timeout', '1'], { cwd: folder });
    assert.fixture(
      stdout,
      `✓ a.schema  4 passed
✗ b.schema  1 passed, 2 failed
    b.schema:5  ok
      the statement failed: R0303 3:1 the statement was stopped
    b.schema:3  to run to its end
      the script was stopped: a statement took longer than 1 s
✓ c.schema  4 passed
9 passed, 2 failed
`,
    );
    assert.is(status, 1);
    const wrong = await runToolHere(['test', '.', '--timeout', 'soon'], { cwd: folder });
    assert.equal([wrong.status, wrong.stderr], [2, "schemac: --timeout takes seconds, 1 to 86400, not 'soon'\n"]);
  }));

test('--watch runs again when files are created, changed and removed, and ends with 0', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'tests/a.schema': good });
    const output = watchOutput(startTool(['test', 'tests', '--watch'], { cwd: folder }));
    try {
      await output.until('4 passed, 0 failed\n');
      writeFiles(folder, { 'tests/deep/b.schema': bad });
      await output.until('5 passed, 2 failed\n');
      writeFiles(folder, { 'tests/deep/b.schema': good });
      await output.until('8 passed, 0 failed\n');
      rmSync(join(folder, 'tests/deep'), { recursive: true });
      await output.until('4 passed, 0 failed\n');
      rmSync(join(folder, 'tests/a.schema'));
      await output.until("schemac: the folder 'tests' contains no .schema file\n");
      writeFiles(folder, { 'tests/a.schema': 'CREATE EVENT (;' });
      await output.until('0 passed, 1 failed\n');
      writeFiles(folder, { 'tests/a.schema': good });
      await output.until('4 passed, 0 failed\n');
    } finally {
      assert.is(await output.stop(), 0);
    }
  }));

test('--schema starts every script with the same blocks', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, {
      'schema/a.schema': 'CREATE EVENT Added (n INT);\nCREATE AGGREGATE Box;',
      'schema/b.schema': 'CREATE COMMAND Put (box_id STRING, n INT);',
      'schema/c.schema': 'CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n);',
      'tests/a.schema': 'EXECUTE Put(box_id := \'b\', n := 1);\n--= emitted [{"seq":1}]',
      'tests/b.schema': 'EXECUTE Put(box_id := \'b\', n := 1);\n--= emitted [{"seq":1}]',
    });
    const result = await runToolHere(['test', 'tests', '--schema', 'schema'], { cwd: folder });
    assert.equal(result, {
      status: 0,
      stdout: '✓ tests/a.schema  1 passed\n✓ tests/b.schema  1 passed\n2 passed, 0 failed\n',
      stderr: '',
    });
  }));

test('a schema that does not compile is reported once, and no script runs', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'schema/a.schema': 'CREATE AGREGATE A;', 'a.schema': 'SELECT 1;\n--= ok' });
    const { status, stdout, stderr } = await runToolHere(['test', 'a.schema', '--schema', 'schema'], { cwd: folder });
    assert.equal([status, stdout], [1, '']);
    assert.match(stderr, /^schema\/a\.schema:1:8 error\[E0\d{3}\]: .*AGREGATE/);
  }));

test.run();
