import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { root } from '../kit/tool.ts';

const tool =
  process.env['SCHEMAC_TEST_BUILT'] === '1'
    ? 'dist/cli/main.js'
    : '--conditions=schemac-source --import tsx cli/main.ts';

/** Runs a line of the shell and gives its status and its stderr; `$SCHEMAC` is the tool. */
function shell(line: string): readonly [status: number | null, stderr: string] {
  const environment = { ...process.env, SCHEMAC: `${process.execPath} ${tool}` };
  const { status, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', line], {
    cwd: root,
    env: environment,
    encoding: 'utf8',
  });
  return [status, stderr];
}

test('a reader that closes the pipe early is no error', () => {
  assert.equal(shell('$SCHEMAC explain | head -n 1 > /dev/null'), [0, '']);
});

(existsSync('/dev/full') ? test : test.skip)('a full disk behind stdout is the fault of the environment', () => {
  assert.equal(shell('$SCHEMAC explain > /dev/full'), [3, 'schemac: ENOSPC: no space left on device, write\n']);
});

test.run();
