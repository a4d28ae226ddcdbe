/** Tasks of a reaction that wait for another attempt of their stream, and what is remembered of them. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createReactionTasks } from '../../runtime/delivery/reaction/reaction-tasks.ts';
import { createRetries } from '../../runtime/delivery/reaction/retries.ts';
import type { Task } from '../../runtime/delivery/reaction/task.ts';

const taskAt = (position: number, stream: string): Task => ({
  reaction: 'R',
  generation: 1,
  position,
  eventHash: 0,
  entry: position,
  stream,
  rests: false,
});

test('a queue is looked through from behind the tasks that wait', () => {
  let time = 0;
  const retries = createRetries(() => time);
  const tasks = createReactionTasks({ reaction: 'R', generation: 1, labels: [], seeds: undefined });
  const all = ['a', 'a', 'a', 'b', 'a'].map((stream, at) => taskAt(at + 1, stream));
  for (const task of all) tasks.add(task);
  const [first = taskAt(0, '')] = all;
  /** The tasks that are looked at, those that may run with a star. */
  const pass = (): string => {
    let isBeginning = true;
    return [...tasks.ready(retries.heldThrough('R'))]
      .map((task) => {
        const isHeld = retries.holds(task);
        isBeginning &&= isHeld;
        if (isBeginning) retries.extendHeld(task);
        return `${task.position}${isHeld ? '' : '*'}`;
      })
      .join(' ');
  };
  assert.is(pass(), '1* 2* 3* 4* 5*');
  retries.failed(first);
  assert.is(pass(), '1 2 3 4* 5');
  assert.is(pass(), '4* 5');
  // The first may be tried again, and those behind it still wait.
  time = 1_000;
  assert.is(pass(), '1* 2 3 4* 5');
  retries.forget(first);
  tasks.close(first);
  assert.is(pass(), '2* 3* 4* 5*');
  retries.failed(taskAt(2, 'a'));
  assert.is(pass(), '2 3 4* 5');
  retries.clear();
  assert.is(pass(), '2* 3* 4* 5*');
});

test('what another server has answered holds nothing up', () => {
  const retries = createRetries(() => 0);
  retries.stop(taskAt(1, 'a'));
  assert.is(retries.holds(taskAt(2, 'a')), true);
  retries.prune(({ position }) => position === 1);
  assert.is(retries.holds(taskAt(2, 'a')), true);
  retries.prune(() => false);
  assert.is(retries.holds(taskAt(2, 'a')), false);
});

test.run();
