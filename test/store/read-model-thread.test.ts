import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openWorkerPort } from '../../runtime/store/read-model/thread/port.ts';

// The process would end before the test does, because nothing else keeps it.
test('a thread that is ended keeps the process until it has ended, although nobody waits for replies any longer', async () => {
  const deaths: Error[] = [];
  const port = await openWorkerPort('5ec7e7', { onReply: () => undefined, onDeath: (error) => deaths.push(error) });
  port.hold(true);
  const ended = port.end();
  port.hold(false);
  await ended;
  assert.equal(deaths, []);
});

test.run();
