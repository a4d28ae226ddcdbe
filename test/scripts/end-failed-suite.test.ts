import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runProcess } from '../../scripts/run-process.ts';
import { root } from '../kit/tool.ts';

test('a file that failed ends, whatever it left open, and runs what it does at its end', async () => {
  const left = `process.on('exit', () => console.log('closed'));
    setInterval(() => undefined, 60_000);
    process.exitCode = 1;`;
  const { seconds: _, ...result } = await runProcess({
    command: process.execPath,
    arguments: ['--import', './scripts/end-failed-suite.js', '--input-type=module', '--eval', left],
    cwd: root,
    milliseconds: 60_000,
  });
  assert.equal(result, { status: 1, output: 'closed\n', timedOut: false });
});

test.run();
