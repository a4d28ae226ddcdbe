import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openWorkerPort } from '../../runtime/store/read-model/thread/port.ts';

// The process would end before the test does, because nothing else keeps it.
test('ending a thread keeps the process alive until the thread has ended, without waiting replies', async () => {
  const deaths: Error[] = [];
  const port = await openWorkerPort('5ec7e7', { onReply: () => undefined, onDeath: (error) => deaths.push(error) });
  port.hold(true);
  const ended = port.end();
  port.hold(false);
  await ended;
  assert.equal(deaths, []);
});

test.run();
