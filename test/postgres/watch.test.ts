/** When a server asks a log in PostgreSQL for its end by itself. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createWatch } from '../../runtime/store/postgres/watch.ts';
import { until } from '../kit/until.ts';

test('nothing is asked for while others ask often enough', async () => {
  let asked = 0;
  let looks = 0;
  // Others have just asked in the first looks, and never again after them.
  const sinceAsked = (): number => (++looks <= 5 ? 0 : 1_000);
  const watch = createWatch({ ask: () => (asked += 1), sinceAsked, pollMilliseconds: 1, log: () => undefined });
  const counts: number[] = [];
  watch.begin();
  await until(() => {
    if (looks <= 5) counts.push(asked);
    return asked >= 2;
  });
  assert.is(Math.max(0, ...counts), 0);
  assert.is(asked, looks - 5);
  await watch.close();
});

test.run();
