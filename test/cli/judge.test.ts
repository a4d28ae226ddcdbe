import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalText, covers } from '../../cli/expectations/exact-json.ts';
import { readExactJson } from '../../language/values/json-parse.ts';
import { readExpectations } from '../../cli/expectations/expectation.ts';
import { judgeScript } from '../../cli/expectations/judge-script.ts';
import type { JsonObject } from '../../language/values/json.ts';
import { withTempFolder } from '../kit/temp-folder.ts';
import { root } from '../kit/tool.ts';

const sameNumbers: [string, string][] = [
  ['1.50', '1.5'],
  ['15e-1', '1.5'],
  ['1E3', '1000'],
  ['-0.0', '0'],
  ['0.1', '0.10'],
  ['1e-3', '0.001'],
  ['12345678901234567890.10', '12345678901234567890.1'],
];
for (const [a, b] of sameNumbers) {
  test(`${a} is ${b}`, () => assert.is(canonicalText(readExactJson(a)), canonicalText(readExactJson(b))));
}
const otherNumbers: [string, string][] = [
  ['9007199254740993', '9007199254740992'],
  ['0.1', '0.10000000000000001'],
  ['1', '"1"'],
  ['-1', '1'],
];
for (const [a, b] of otherNumbers) {
  test(`${a} is not ${b}`, () => assert.is.not(canonicalText(readExactJson(a)), canonicalText(readExactJson(b))));
}

test('covering: objects may hold more, lists may not', () => {
  const holds = (got: string, wanted: string): boolean => covers(readExactJson(got), readExactJson(wanted));
  assert.ok(holds('{"a":1.0,"b":2}', '{"a":1}'));
  assert.ok(holds('[{"a":1,"b":2}]', '[{"b":2}]'));
  assert.ok(holds('{"a":{"b":null,"c":1}}', '{"a":{"b":null}}'));
  assert.not(holds('{"a":1}', '{"a":null}'));
  assert.not(holds('{}', '{"a":null}'));
  assert.not(holds('[1,2]', '[1]'));
  assert.not(holds('null', '{}'));
});

test('expectations are found by line, and may take several lines', () => {
  const text = `CREATE X;
--= created created
  --= rows [["a",
--=     1],
--=   ["b", 2]]
--= ok
-- = no
SELECT '
--= error E0101
`;
  assert.equal(readExpectations(text), [
    { line: 2, end: 2, word: 'created', rest: 'created' },
    { line: 3, end: 5, word: 'rows', rest: '[["a", 1], ["b", 2]]' },
    { line: 6, end: 6, word: 'ok', rest: '' },
    { line: 9, end: 9, word: 'error', rest: 'E0101' },
  ]);
});

/** Outcomes as `run --json` could write them, and a script of expectations, some of which do not hold. */
const outcomes = [
  '{"statement_line":1,"kind":"create","block":"aggregate","name":"A","change":"created"}',
  '{"statement_line":4,"kind":"execute","outcome":"emitted","events":[{"event_type":"E","stream_id":"s","seq":1,"data":{"n":5.50}}]}',
  '{"statement_line":10,"kind":"execute","outcome":"rejected","events":[],"rejection":{"decision":"D","guards":[],"state":{"k":null},"command":{}}}',
  '{"statement_line":15,"kind":"select","columns":[{"name":"a","type":"INT"}],"rows":[[1],[2.0],["x"]]}',
  '{"statement_line":24,"kind":"error","code":"E0203","message":"there is no Column","line":24,"column":3,"end_line":24,"end_column":4,"more":[]}',
  '{"statement_line":31,"kind":"error","code":"E0101","message":"unexpected","line":31,"column":1,"end_line":31,"end_column":2,"more":[]}',
  '{"statement_line":32,"kind":"export","text":"CREATE AGGREGATE A;\\nCREATE EVENT E ();"}',
  '{"statement_line":36,"kind":"inspect","into":"t","rows":3,"rejected":1}',
  '{"statement_line":39,"kind":"apply","template":"T","created":[{"block":"event","name":"E"}]}',
  '{"statement_line":42,"kind":"execute","outcome":"replayed","events":[{"seq":2}]}',
  '{"statement_line":46,"kind":"describe","columns":[{"name":"a","type":"STRING"}],"rows":[["x y"]]}',
];
const script = `CREATE AGGREGATE A;
--= created created
--= created unchanged
EXECUTE E;
--= emitted
--= emitted [{"data":{"n":5.5}}]
--= emitted [{"data":{"n":5.51}}]
--= rejected
--= lacks "5.5"
EXECUTE E;
--= rejected [{"decision":"D","state":{"k":null}}]
--= rejected [{"decision":"X"}]
--= emitted
--= rows []
SELECT 1;
--= rows [[1.0],[2],["x"]]
--= rows [[2],[1],["x"]]
--= rows-any [["x"],[2],[1]]
--= rows-any [["x"],[2]]
--= columns [["a","INT"]]
--= columns [["a","BIGINT"]]
--= error
--= nonsense
SELECT nothing;
--= error
--= error E0203
--= error E0204
--= error "no column"
--= error "elsewhere"
--= ok
fault;
EXPORT REGISTRY;
--= text-has "AGGREGATE A"
--= text-has "AGGREGATE B"
--= lacks "secret"
INSPECT DECISION D;
--= inspected {"rows":3}
--= inspected {"rows":3,"rejected":2}
APPLY TEMPLATE T;
--= created [{"name":"E"}]
--= created [{"name":"F"}]
EXECUTE F;
--= replayed [{"seq":2}]
--= replayed [{"seq":3}]
--= emitted
DESCRIBE X;
--= text-has "x y"
--= rows not json
SELECT 'no outcome';
--= ok
`;
const failing = [3, 7, 8, 9, 12, 13, 14, 17, 19, 21, 22, 23, 27, 29, 30, 34, 38, 41, 44, 45, 48, 50, 31];

test('each kind of expectation is compared with its outcome', () => {
  const verdicts = judgeScript(
    script,
    outcomes.map((line) => readExactJson(line) as JsonObject),
  );
  const failed = verdicts.filter((verdict) => verdict.mismatch !== undefined).map((verdict) => verdict.line);
  assert.equal(failed, failing);
  assert.is(verdicts.length, 39);
});

test('a mismatch shows the expected and the actual outcome', () => {
  const verdicts = judgeScript(
    script,
    outcomes.map((line) => readExactJson(line) as JsonObject),
  );
  assert.equal(
    verdicts.find((verdict) => verdict.line === 17),
    {
      line: 17,
      name: 'rows [[2],[1],["x"]]',
      mismatch: { problem: 'the rows differ', expected: '[[2],[1],["x"]]', got: '[[1],[2],["x"]]' },
    },
  );
  assert.equal(
    verdicts.find((verdict) => verdict.line === 31),
    {
      line: 31,
      name: 'not to fail',
      mismatch: { problem: 'the statement failed: E0101 31:1 unexpected' },
    },
  );
});

test('a rejection without an expectation is a failure, unless it is allowed', () => {
  const rejected = outcomes.slice(2, 3).map((line) => readExactJson(line) as JsonObject);
  const whole = '{"command":{},"decision":"D","guards":[],"state":{"k":null}}';
  const problem = `the command was rejected; '--= rejected' after it expects that: ${whole}`;
  assert.equal(judgeScript('EXECUTE E;', rejected), [{ line: 10, name: 'not to be rejected', mismatch: { problem } }]);
  assert.equal(judgeScript('EXECUTE E;', rejected, { allowRejected: true }), []);
  assert.equal(judgeScript(`${'\n'.repeat(9)}EXECUTE E;\n--= lacks "secret"`, rejected), [
    { line: 11, name: 'lacks "secret"' },
  ]);
});

test('each expectation gives a verdict on each kind of outcome', () => {
  const words = ['ok', 'emitted [1]', 'replayed', 'rejected {}', 'rows []', 'rows-any []', 'columns []', 'created []'];
  const more = ['reacted []', 'inspected {}', 'text-has "x"', 'lacks "x"', 'error', 'error E0101'];
  for (const line of outcomes)
    for (const word of [...words, ...more]) {
      const outcome = readExactJson(line) as JsonObject;
      const text = `${'\n'.repeat(50)}--= ${word}`;
      assert.is(judgeScript(text, [outcome]).length, 1, `${word} of ${line}`);
    }
  const [executed] = judgeScript('EXECUTE E;\n\n\n\n--= text-has "x"', [
    readExactJson(outcomes[1] ?? '') as JsonObject,
  ]);
  assert.is(executed?.mismatch?.problem, 'the outcome has no text and no rows');
});

const outside = `${root}../shared/conformance/check.mjs`;
(existsSync(outside) ? test : test.skip)('the independent checker agrees', async () => {
  await withTempFolder((folder) => {
    const tool = join(folder, 'tool.sh');
    writeFileSync(join(folder, 'outcomes'), outcomes.join('\n'));
    writeFileSync(tool, `#!/bin/sh\ncat ${join(folder, 'outcomes')}\n`);
    chmodSync(tool, 0o755);
    writeFileSync(join(folder, 'a.schema'), script);
    const result = spawnSync(process.execPath, [outside, '--command', tool, join(folder, 'a.schema')], {
      encoding: 'utf8',
    });
    const lines = [...result.stdout.matchAll(/^ {2}(?:line (\d+)|unexpected: \S+ line (\d+)):/gm)];
    assert.equal(
      lines.map((match) => Number(match[1] ?? match[2])),
      failing,
    );
    assert.match(result.stdout, /^16 passed, 23 failed$/m);
  });
});

test.run();
