/** Tasks of a reaction that wait for another attempt of their stream, and what is remembered of them. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createReactionTasks, type ActiveReaction } from '../../runtime/delivery/reaction/reaction-tasks.ts';
import { createRetries } from '../../runtime/delivery/reaction/retries.ts';
import { keyOf, type Task } from '../../runtime/delivery/reaction/task.ts';
import { createEventReader } from '../../runtime/store/event-reader.ts';
import { createCommandHash } from '../../runtime/store/turns/command-index.ts';

const hash = createCommandHash('0'.repeat(64));
const answering: ActiveReaction = {
  definition: {
    name: 'R',
    start: { at: 'start' },
    events: ['E'],
    inputs: [],
    branches: [{ label: '1', command: 'C', unless: [], execute: () => ({}) }],
  },
  generation: { entry: 1, branches: new Map() },
};

const taskAt = (position: number, stream: string): Task => ({
  key: keyOf('R', position, undefined),
  reaction: 'R',
  generation: 1,
  position,
  eventHash: 0,
  entry: position,
  stream: hash('A', stream, ''),
  branch: undefined,
  rests: false,
});

test('a queue is looked through from behind the tasks that wait', () => {
  let time = 0;
  const retries = createRetries(() => time);
  const tasks = createReactionTasks(answering, {
    readerOf: (type) => createEventReader(type, []),
    context: { random: () => 0, uuid: () => '' },
    hash,
    room: { sources: 0 },
  });
  for (const [index, stream] of ['a', 'a', 'a', 'b', 'a'].entries()) {
    const position = index + 1;
    const event = {
      position,
      id: `${position}`,
      type: 'E',
      version: 1,
      streamType: 'A',
      streamId: stream,
      seq: 1,
      data: '{}',
    };
    const command = { kind: 'command', command: 'C', streamType: 'A', streamId: stream, events: [event] } as const;
    tasks.takeEvent(event, 'E', { ...command, number: position, at: '0' });
  }
  const first = taskAt(1, 'a');
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
  tasks.done(first);
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
