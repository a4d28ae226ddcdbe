import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runProcess } from '../../scripts/run-process.ts';
import { withTempFolder } from '../kit/temp-folder.ts';

const shell = (script: string, milliseconds = 20_000) =>
  runProcess({ command: 'sh', arguments: ['-c', script], cwd: '/', milliseconds, environment: { GIVEN: 'x' } });

test('a process gives its status and both streams, and gets the environment', async () => {
  const { seconds, ...result } = await shell('echo out; echo $GIVEN >&2; exit 3');
  assert.equal(result, { status: 3, output: 'out\nx\n', timedOut: false });
  assert.ok(seconds > 0);
});

test('a process past its time limit is killed with all its children', () =>
  withTempFolder(async (folder) => {
    const late = join(folder, 'late');
    const result = await shell(`(sleep 2; touch ${late}) & sleep 30`, 300);
    assert.equal([result.status, result.timedOut], [undefined, true]);
    await pause(2500);
    assert.is(existsSync(late), false);
  }));

test('a grandchild with open streams does not delay the end', async () => {
  const result = await shell('sleep 30 & echo done');
  assert.equal([result.status, result.output, result.timedOut], [0, 'done\n', false]);
  assert.ok(result.seconds < 10);
});

test('a program that cannot be started is an error', async () => {
  const result = await runProcess({ command: '/nowhere', arguments: [], cwd: '/', milliseconds: 1000 });
  assert.is(result.status, undefined);
  assert.match(result.output, 'ENOENT');
});

test.run();
