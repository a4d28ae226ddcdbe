import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { measured, readMeasured } from '../../scripts/processor-time.ts';
import { runProcess } from '../../scripts/run-process.ts';

test('a command keeps its status and what it writes, and its processor time and that of its children is known', async () => {
  const busy = 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done';
  const script = `echo out; sh -c '${busy}'; echo err >&2; exit 3`;
  const { status, output } = await runProcess({ ...measured('sh', ['-c', script]), cwd: '/', milliseconds: 20_000 });
  const { processorSeconds = 0, ...rest } = readMeasured(output);
  assert.equal([status, rest], [3, { output: 'out\nerr\n' }]);
  assert.ok(processorSeconds > 0.01, `${processorSeconds} s`);
});

for (const [written, expected] of [
  ['a\n\n0m0.01s 0m0.02s\n1m2.50s 2m0.25s\n', { output: 'a\n', processorSeconds: 182.78 }],
  ['killed', { output: 'killed' }],
  ['', { output: '' }],
] as const)
  test(`read from ${JSON.stringify(written)}`, () => assert.equal(readMeasured(written), expected));

test.run();
