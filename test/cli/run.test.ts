import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { runTool, startTool, type ToolOptions, type ToolResult } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { watchOutput } from '../kit/watch-output.ts';

const schema = `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n) WHERE :n > 0;
`;

/** Runs the tool in a fresh folder that holds these files. */
function inFolder(
  files: Readonly<Record<string, string>>,
  words: readonly string[],
  run: (words: readonly string[], options: ToolOptions) => Promise<ToolResult> = runToolHere,
  options: ToolOptions = {},
): Promise<ToolResult> {
  return withTempFolder((folder) => {
    writeFiles(folder, files);
    return run(words, { ...options, cwd: folder });
  });
}

test('outcomes as text', async () => {
  const result = await inFolder(
    {
      'a.schema': `${schema}EXECUTE Put(box_id := 'b', n := 2);
EXECUTE Put(box_id := 'b', n := 0);
SELECT stream_id, seq, data.n AS n FROM Reg."Box$Events";
`,
    },
    ['run', 'a.schema'],
    runTool,
  );
  assert.is(result.stderr, '');
  assert.fixture(
    result.stdout,
    `aggregate Box created
command Put created
event Added created
decision PutIn created

  ✓ Added
    stream_id:     b
    seq:           1
    n:             2
1 event(s) emitted.

  ✗ REJECTED
    decision:  PutIn
    guard:     :n > 0
    command:   box_id = 'b', n = 0
 stream_id | seq | n
-----------+-----+---
 b         |   1 | 2
(1 row)
`.replaceAll('\n\n', '\n'),
  );
  assert.is(result.status, 0);
});

test('outcomes as JSON, one line for each statement', async () => {
  const result = await inFolder(
    {
      'a.schema': `${schema}\nEXECUTE Put(box_id := 'b', n := 2);\n-- said\nSELECT 1.50 AS a, 'x' AS b;\nEXPORT REGISTRY;`,
    },
    ['run', '--json', 'a.schema'],
  );
  assert.equal([result.status, result.stderr], [0, '']);
  const lines = result.stdout.trim().split('\n');
  assert.is(lines[0], '{"statement_line":1,"kind":"create","block":"aggregate","name":"Box","change":"created"}');
  assert.is(
    lines[4],
    '{"statement_line":6,"kind":"execute","outcome":"emitted","events":[{"event_type":"Added","stream_type":"Box","stream_id":"b","seq":1,"data":{"n":2}}]}',
  );
  assert.is(
    lines[5],
    '{"statement_line":8,"kind":"select","columns":[{"name":"a","type":"DECIMAL(3,2)"},{"name":"b","type":"STRING"}],"rows":[[1.50,"x"]]}',
  );
  assert.match(lines[6] ?? '', /^{"statement_line":9,"kind":"export","text":"CREATE AGGREGATE Box;/);
  assert.is(lines.length, 7);
});

const stops: [name: string, script: string, words: string[], kinds: string[], status: number][] = [
  ['a failed statement stops', 'SELECT 1;\nSELECT x;\nSELECT 2;', [], ['select', 'error'], 1],
  ['--keep-going goes on', 'SELECT 1;\nSELECT x;\nSELECT 2;', ['--keep-going'], ['select', 'error', 'select'], 1],
  ['a text that does not parse runs nothing', 'SELECT 1;\nSELEC 2;', [], ['error'], 1],
  ['unless --keep-going', 'SELECT 1;\nSELEC 2;', ['--keep-going'], ['select', 'error'], 1],
  ['a rejection is an outcome', `EXECUTE Put(box_id := 'b', n := 0);\nSELECT 1;`, [], ['execute', 'select'], 0],
  ['--fail-on-reject stops', `EXECUTE Put(box_id := 'b', n := 0);\nSELECT 1;`, ['--fail-on-reject'], ['execute'], 1],
  [
    '--fail-on-reject --keep-going goes on',
    `EXECUTE Put(box_id := 'b', n := 0);\nSELECT 1;`,
    ['--fail-on-reject', '--keep-going'],
    ['execute', 'select'],
    1,
  ],
  ['an empty script', '-- nothing\n;;', [], [], 0],
];
for (const [name, script, words, kinds, status] of stops) {
  test(name, async () => {
    const result = await inFolder({ 'schema/s.schema': schema, 'a.schema': script }, [
      ...['run', '--json', '--schema', 'schema', ...words, 'a.schema'],
    ]);
    const found = result.stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => (JSON.parse(line) as { kind: string }).kind);
    assert.equal([result.status, found], [status, kinds]);
  });
}

test('an error is shown in a frame on stderr, and with its position in JSON', async () => {
  const files = { 'a.schema': '\n  SELECT colour\n;' };
  const text = await inFolder(files, ['run', 'a.schema']);
  assert.is(text.stdout, '');
  assert.match(text.stderr, /^a\.schema:2:10 error\[E\d{4}\]: .*colour.*\n 2 \| {3}SELECT colour\n {3}\| {10}\^{6}\n$/);
  const json = await inFolder(files, ['run', '--json', 'a.schema']);
  assert.match(
    json.stdout,
    /^{"statement_line":2,"kind":"error","code":"E\d{4}","message":"[^"]*","line":2,"column":10,"end_line":2,"end_column":16,"more":\[\]}\n$/,
  );
});

test('several scripts are one session; stdin is one of them', async () => {
  const words = ['run', '--json', 'a.schema', '-'];
  const input = "EXECUTE Put(box_id := 'b', n := 1)";
  const result = await inFolder({ 'a.schema': schema }, words, runTool, { input });
  assert.match(result.stdout, '"outcome":"emitted"');
  assert.is(result.status, 0);
});

test('without --data nothing is kept; with it everything is, and a script can be run twice', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'a.schema': `${schema}EXECUTE Put(box_id := 'b', n := 1);` });
    const run = (...words: string[]): Promise<ToolResult> =>
      runToolHere(['run', '--json', ...words, 'a.schema'], { cwd: folder });
    await run();
    assert.is(existsSync(join(folder, 'data')), false);
    assert.match((await run('--data', 'data')).stdout, '"change":"created"');
    const again = await run('--data', 'data');
    assert.match(again.stdout, '"change":"unchanged"');
    assert.match(again.stdout, '"seq":2');
    assert.equal([again.status, again.stderr], [0, '']);
    const exported = await runToolHere(['export', '--data', 'data'], { cwd: folder });
    assert.match(exported.stdout, 'CREATE DECISION PutIn');
    const dumped = await runToolHere(['log', 'dump', '--data', 'data'], { cwd: folder });
    assert.match(dumped.stdout, /^{"kind":"command",.*"command":"Put"/m);
    const verified = await runToolHere(['log', 'verify', '--data', 'data'], { cwd: folder });
    assert.match(verified.stdout, /entries 1 to \d+, \d+ bytes\nthe log is sound\n$/);
    assert.is(verified.status, 0);
  }));

test('a directory that is in use ends with 3 and one line', () =>
  withTempFolder(async (folder) => {
    const held = startTool(['repl', '--data', 'data'], { cwd: folder });
    const output = watchOutput(held);
    held.stdin.write('SELECT 7;\n');
    await output.until('(1 row)');
    const second = await runToolHere(['run', '--data', 'data', '-'], { cwd: folder, input: 'SELECT 1;' });
    held.stdin.end();
    assert.is(await output.stop('SIGCONT'), 0);
    assert.is(second.status, 3);
    assert.match(second.stderr, /^schemac: the data directory \S+ is in use by [^\n]+\n$/);
  }));

test.run();
