import { once } from 'node:events';
import { getPriority } from 'node:os';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startThread } from '../../runtime/store/start-thread.ts';
import { startedModule } from '../kit/started-module.ts';

test('lowering the priority of one thread leaves the others unchanged', async () => {
  const before = getPriority();
  const [priority] = await once(startThread(startedModule('test/store/lower-priority-thread'), {}), 'message');
  const lowered = Math.max(before, 10);
  assert.equal(
    { priority, ours: getPriority() },
    { priority: process.platform === 'linux' ? lowered : undefined, ours: before },
  );
});

test.run();
