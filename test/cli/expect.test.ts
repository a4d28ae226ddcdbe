import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { runTool } from '../kit/tool.ts';

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

test('scripts are sessions of their own; the report names each mismatch', () =>
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
      expected  [[2]]
      got       [[1]]
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
    const text = await runTool(words, { cwd: folder });
    assert.match(text.stdout, /^coverage: 1 of 2\n {2}not reached: PutIn rejects\n4 passed, 2 failed\n$/m);
    const report = readFileSync(join(folder, 'report.xml'), 'utf8');
    assert.match(report, '<testsuites name="schemac" tests="6" failures="2">');
    assert.match(report, '<testcase classname="b.schema" name="line 2: rows [[2]]">');
    assert.match(
      report,
      '<failure message="the rows differ">the rows differ&#10;expected [[2]]&#10;got [[1]]</failure>',
    );
    const json = JSON.parse((await runTool(['test', 'a.schema', '--json', '--coverage'], { cwd: folder })).stdout) as {
      passed: number;
      failed: number;
      coverage: unknown;
    };
    assert.equal(
      [json.passed, json.failed, json.coverage],
      [3, 0, { reached: ['PutIn emits'], missed: ['PutIn rejects'] }],
    );
  }));

test('--schema gives every script the same blocks to begin with', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, {
      'schema/a.schema': 'CREATE EVENT Added (n INT);\nCREATE AGGREGATE Box;',
      'schema/b.schema': 'CREATE COMMAND Put (box_id STRING, n INT);',
      'schema/c.schema': 'CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n);',
      'tests/a.schema': 'EXECUTE Put(box_id := \'b\', n := 1);\n--= emitted [{"seq":1}]',
      'tests/b.schema': 'EXECUTE Put(box_id := \'b\', n := 1);\n--= emitted [{"seq":1}]',
    });
    const result = await runTool(['test', 'tests', '--schema', 'schema'], { cwd: folder });
    assert.equal(result, {
      status: 0,
      stdout: '✓ tests/a.schema  1 passed\n✓ tests/b.schema  1 passed\n2 passed, 0 failed\n',
      stderr: '',
    });
  }));

test('a schema that does not compile is said once, and no script is run', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'schema/a.schema': 'CREATE AGREGATE A;', 'a.schema': 'SELECT 1;\n--= ok' });
    const { status, stdout, stderr } = await runTool(['test', 'a.schema', '--schema', 'schema'], { cwd: folder });
    assert.equal([status, stdout], [1, '']);
    assert.match(stderr, /^schema\/a\.schema:1:8 error\[E0\d{3}\]: .*AGREGATE/);
  }));

test.run();
