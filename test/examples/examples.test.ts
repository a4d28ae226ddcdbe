import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withTempFolder } from '../kit/temp-folder.ts';
import { root, runTool } from '../kit/tool.ts';

const home = join(root, 'examples');
const names = readdirSync(home, { withFileTypes: true }).filter((entry) => entry.isDirectory());

test('there are examples', () => assert.ok(names.length > 0));

for (const { name } of names) {
  const cwd = join(home, name);

  test(`${name}: says what it shows`, () => assert.ok(existsSync(join(cwd, 'README.md'))));

  test(`${name}: its schema is accepted without a word`, async () => {
    const { status, stderr } = await runTool(['check', 'schema'], { cwd });
    assert.equal([status, stderr], [0, '']);
  });

  test(`${name}: every expectation of its scripts holds`, async () => {
    const { status, stdout } = await runTool(['test', 'tests', '--schema', 'schema', '--json'], { cwd });
    const { passed, failed } = JSON.parse(stdout) as { passed: number; failed: number };
    assert.equal([status, failed], [0, 0], stdout);
    assert.ok(passed > 0);
  });

  test(`${name}: is in canonical form`, async () => {
    assert.equal(await runTool(['fmt', '--check', 'schema', 'tests'], { cwd }), { status: 0, stdout: '', stderr: '' });
  });

  test(`${name}: an export loads and gives the same export`, () =>
    withTempFolder(async (folder) => {
      const first = await runTool(['export', 'schema'], { cwd });
      const again = await runTool(['run', '-'], { cwd: folder, input: `${first.stdout}\nEXPORT REGISTRY;` });
      assert.is(again.status, 0, again.stderr);
      assert.ok(again.stdout.endsWith(first.stdout));
    }));
}

test.run();
