/** Large reads and what commands ask are answered by one thread: who goes first. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createLargeReads } from '../../runtime/store/tables/live/large-reads.ts';

interface Asked {
  readonly name: string;
  readonly answer: () => void;
}

/** Records the questions to a read model, in order; each answer comes when the test gives it. */
function readModel(): { readonly asked: Asked[]; readonly read: (name: string) => () => Promise<string> } {
  const asked: Asked[] = [];
  return {
    asked,
    read: (name) => () => new Promise((resolve) => asked.push({ name, answer: () => resolve(name) })),
  };
}

const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
const names = (asked: readonly Asked[]): string => asked.map(({ name }) => name).join(' ');

test('large reads run one after the other, and a read for a command runs at once', async () => {
  const { asked, read } = readModel();
  const reads = createLargeReads(() => performance.now());
  const answers = [reads.inTurn(read('first')), reads.inTurn(read('second')), reads.forCommand(read('command'))];
  await moment();
  assert.is(names(asked), 'command first');
  asked[1]?.answer();
  asked[0]?.answer();
  await moment();
  assert.is(names(asked), 'command first second');
  asked[2]?.answer();
  assert.equal(await Promise.all(answers), ['first', 'second', 'command']);
});

test('the next large read waits for commands, at most as long as the last large read took', async () => {
  const { asked, read } = readModel();
  let now = 0;
  const reads = createLargeReads(() => now);
  const first = reads.inTurn(read('first'));
  const second = reads.inTurn(read('second'));
  await moment();
  now = 100;
  const command = reads.forCommand(read('command'));
  asked[0]?.answer();
  await first;
  await moment();
  assert.is(names(asked), 'first command');
  now = 199;
  await moment();
  assert.is(names(asked), 'first command');
  now = 200;
  await moment();
  assert.is(names(asked), 'first command second');
  asked[1]?.answer();
  asked[2]?.answer();
  assert.equal([await command, await second], ['command', 'second']);
});

test('after large reads that were quick, commands have their time once for several', async () => {
  const { asked, read } = readModel();
  let now = 0;
  const reads = createLargeReads(() => now);
  const answers = ['first', 'second', 'third', 'fourth'].map((name) => reads.inTurn(read(name)));
  for (const [at, ended] of [0.4, 0.8, 1.2].entries()) {
    await moment();
    now = ended;
    asked[at]?.answer();
  }
  await moment();
  assert.is(names(asked), 'first second third');
  now = 2.4;
  await moment();
  assert.is(names(asked), 'first second third fourth');
  asked[3]?.answer();
  assert.equal(await Promise.all(answers), ['first', 'second', 'third', 'fourth']);
});

test('a failed large read does not block the next one', async () => {
  const reads = createLargeReads(() => performance.now());
  const failed = reads
    .inTurn(() => Promise.reject(new Error('past its budget')))
    .catch((error: unknown) => (error as Error).message);
  const next = reads.inTurn(() => Promise.resolve('read'));
  assert.equal([await failed, await next], ['past its budget', 'read']);
});

test.run();
