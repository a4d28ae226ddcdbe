import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { concernedSuites } from '../../scripts/changed-suites.ts';

const sources = new Map<string, ReadonlySet<string>>([
  ['test/values/decimal.test.ts', new Set(['test/values/decimal.test.ts', 'language/values/decimal.ts'])],
  ['test/http/answers.test.ts', new Set(['server/http/pipeline/send.ts', 'language/values/decimal.ts'])],
  ['test/cli/run.test.ts', new Set(['test/kit/tool.ts'])],
  ['test/docs/follow.test.ts', new Set(['test/docs/follow.ts'])],
]);

const table: [changed: string, suites: readonly string[]][] = [
  ['language/values/decimal.ts', ['test/values/decimal.test.ts', 'test/http/answers.test.ts', 'test/cli/run.test.ts']],
  ['server/http/pipeline/send.ts', ['test/http/answers.test.ts', 'test/cli/run.test.ts']],
  ['test/values/decimal.test.ts', ['test/values/decimal.test.ts']],
  ['test/http/bike.schema', ['test/http/answers.test.ts']],
  ['test/cli/cases/new/input.ts', ['test/cli/run.test.ts']],
  ['docs/http.md', ['test/docs/follow.test.ts']],
  ['test/engine/unknown.ts', []],
  ['LICENSE', []],
  ['package-lock.json', [...sources.keys()]],
  ['scripts/bundle.ts', [...sources.keys()]],
];
for (const [changed, suites] of table)
  test(`a change of ${changed} runs ${suites.length} suites`, () => {
    assert.equal(concernedSuites([changed], [...sources.keys()], sources), suites);
  });

test.run();
