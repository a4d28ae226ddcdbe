/** Time that a command would wait, from the batches before it. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createWaitEstimate, type WaitEstimate } from '../../runtime/engine/wait-estimate.ts';

/** Batches of one command after each other: each decided in 10 ms, and durable after `commit` ms more. Gives the end of the last. */
function answerBatches(estimate: WaitEstimate, from: number, many: number, commit: number): number {
  let begun = from;
  for (let entry = 1; entry <= many; entry += 1) {
    const ended = begun + 10 + commit;
    estimate.answered({ commands: 1, begun, deciding: 10, ended, entry: from + entry });
    begun = ended;
  }
  return begun;
}

const minute = 60_000;

test('three slow batches of five count until a minute without commands', () => {
  const estimate = createWaitEstimate(4);
  const ended = answerBatches(estimate, 0, 3, 2_000);
  const behindEight = (now: number, undurable = 0): number => estimate.behind(8, undurable, now);
  assert.equal([behindEight(ended), behindEight(ended + minute)], [4_080, 4_080]);
  assert.is(behindEight(ended + minute + 1), 0, 'after a minute of quiet');
  assert.is(behindEight(ended + minute + 1, 4), 6_080, 'a batch is not durable for a minute');
});

test('what was slow before the quiet does not count after it', () => {
  const estimate = createWaitEstimate(4);
  const quiet = answerBatches(estimate, 0, 5, 2_000) + 2 * minute;
  const ended = answerBatches(estimate, quiet, 1, 5);
  assert.is(estimate.behind(8, 0, ended), 0, 'one batch is no rule');
  assert.is(estimate.behind(8, 0, answerBatches(estimate, ended, 2, 5)), 90);
});

test.run();
