import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createAttemptLog, type Attempt } from '../../runtime/delivery/webhook/attempt-log.ts';

const tried = (position: number, attempt = 1): Attempt => ({
  position,
  attempt,
  at: 0,
  milliseconds: 1,
  status: 500,
  error: 'no',
});

test('the last 100 attempts, and of each row that failed the last 10, until it is delivered', () => {
  const log = createAttemptLog();
  for (let attempt = 1; attempt <= 12; attempt++) log.add(tried(1, attempt), false);
  log.add(tried(2), false);
  log.add(tried(2, 2), true);
  assert.equal(
    [...log.byRow()].map(([row, all]) => [row, all.map(({ attempt }) => attempt)]),
    [[1, [3, 4, 5, 6, 7, 8, 9, 10, 11, 12]]],
  );
  for (let row = 10; row < 1010; row++) log.add(tried(row), false);
  assert.equal(
    [log.recent().length, log.byRow().size, log.byRow().has(1), log.byRow().has(10)],
    [100, 1000, false, true],
  );
});

test.run();
