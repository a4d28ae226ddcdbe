import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { GeneratedFile } from '../../compiler/emit/project/generated-file.ts';
import { typeErrors } from '../emit/generated-project.ts';
import { projectOf } from '../emit/compiled.ts';
import { withTempFolder } from '../kit/temp-folder.ts';
import { root, type ToolResult } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';

const home = join(root, 'examples');
const names = readdirSync(home, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** What no script can reach: the token that takes a claim back is drawn at random. The example's page takes one back. */
const outOfReach: Readonly<Record<string, readonly string[]>> = {
  'expense-approval': ['TakeBack emits'],
};

for (const name of names) {
  const cwd = join(home, name);

  test(`${name}: its schema is accepted without a word`, async () => {
    const { status, stderr } = await runToolHere(['check', 'schema'], cwd);
    assert.equal([status, stderr], [0, '']);
  });

  test(`${name}: every expectation of its scripts holds, and they reach every event and every rejection`, async () => {
    const words = ['test', 'tests', '--schema', 'schema', '--coverage', '--json'];
    const { status, stdout } = await runToolHere(words, cwd);
    const { passed, failed, coverage } = JSON.parse(stdout) as {
      passed: number;
      failed: number;
      coverage: { missed: readonly string[] };
    };
    assert.equal(
      { status, failed, missed: coverage.missed },
      { status: 0, failed: 0, missed: outOfReach[name] ?? [] },
      stdout,
    );
    assert.ok(passed > 0);
  });

  test(`${name}: nothing in its registry is odd`, async () => {
    const { stdout } = await runToolHere(['validate', 'schema', '--json'], cwd);
    const { rows } = JSON.parse(stdout) as { rows: readonly (readonly unknown[])[] };
    assert.equal(rows, []);
  });

  test(`${name}: is in canonical form`, async () => {
    const result = await runToolHere(['fmt', '--check', 'schema', 'tests'], cwd);
    assert.equal(result, { status: 0, stdout: '', stderr: '' });
  });

  test(`${name}: an export loads and gives the same export`, () =>
    withTempFolder(async (folder) => {
      const first = await runToolHere(['export', 'schema'], cwd);
      const again = await runToolHere(['run', '-'], folder, `${first.stdout}\nEXPORT REGISTRY;`);
      assert.is(again.status, 0, again.stderr);
      assert.ok(again.stdout.endsWith(first.stdout));
    }));

  test(`${name}: its log, exported and imported, is exported to the same bytes`, () =>
    withTempFolder(async (folder) => {
      const scripts = readdirSync(join(cwd, 'tests')).map((file) => `tests/${file}`);
      const tool = (...words: readonly string[]): Promise<ToolResult> => runToolHere(words, cwd);
      const [one, other] = [join(folder, 'one'), join(folder, 'other')];
      await tool('run', ...scripts, '--keep-going', '--schema', 'schema', '--data', one);
      const exported = await tool('log', 'export', '-', '--data', one);
      assert.ok(exported.stdout.split('\n').length > 3, exported.stderr);
      writeFileSync(join(folder, 'log.jsonl'), exported.stdout);
      const imported = await tool('log', 'import', join(folder, 'log.jsonl'), '--data', other);
      assert.is(imported.status, 0, imported.stderr);
      assert.is((await tool('log', 'export', '-', '--data', other)).stdout, exported.stdout);
    }));

  test(`${name}: the list of examples names it`, () => {
    assert.ok(existsSync(join(cwd, 'README.md')));
    assert.match(readFileSync(join(home, 'README.md'), 'utf8'), `[${name}](${name})`);
  });
}

test('the code that is generated of them satisfies the strictest settings', async () => {
  const projects: Record<string, readonly GeneratedFile[]> = {};
  for (const name of names)
    projects[name] = await projectOf((await runToolHere(['export', 'schema'], join(home, name))).stdout);
  assert.equal(typeErrors(projects), []);
});

for (const [what, word] of [
  ['an unknown name', 'bike'],
  ['a path', '../examples/bike-rental'],
  ['a file', 'README.md'],
] as const)
  test(`npm start refuses ${what} with the names there are`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import=tsx', 'scripts/start.ts', word], {
      cwd: root,
      encoding: 'utf8',
    });
    const message = `there is no example '${word}'; there are ${[...names].sort().join(', ')}\n`;
    assert.equal({ status, stdout, stderr }, { status: 2, stdout: '', stderr: message });
  });

test.run();
