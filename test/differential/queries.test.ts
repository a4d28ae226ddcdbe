/** Some random queries against PostgreSQL; `npm run test:queries` runs more. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compareQueries } from './compare.ts';
import { openEngines } from './engines.ts';
import { exceptions } from './exceptions.ts';
import { formSets, formsOf } from './forms.ts';

test('random queries answer as in PostgreSQL', async () => {
  const engines = await openEngines();
  try {
    const found = await compareQueries(engines, {
      first: 1,
      count: 150,
      most: 3,
      forms: formsOf(Object.keys(formSets)),
    });
    assert.equal(found.differences, []);
    assert.ok(found.answered > 90, `only ${found.answered} of 150 queries gave rows`);
  } finally {
    await engines.close();
  }
});

test('at most ten differences are excepted', () => assert.ok(exceptions.length <= 10));

test.run();
