import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { openSession } from '../../server/session/open-session.ts';
import type { StatementOutcome } from '../../server/session/outcome.ts';
import { readTree } from '../kit/cases.ts';
import { withTempFolder } from '../kit/temp-folder.ts';
import { root, type ToolResult } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';

const home = join(root, 'examples');
const names = readdirSync(home, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** Parts that no script can reach: the token that takes a claim back is random. The example's page takes one back. */
const outOfReach: Readonly<Record<string, readonly string[]>> = {
  'expense-approval': ['TakeBack emits'],
};

function schemaText(example: string): string {
  return Object.values(readTree(join(example, 'schema'))).join('\n');
}

/** The outcomes of texts that run one after the other in their own session. */
async function session(store: Store, ...texts: readonly string[]): Promise<readonly StatementOutcome[]> {
  const opened = await openSession({ store, version: '0.0.0' });
  const outcomes: StatementOutcome[] = [];
  for (const text of texts)
    for await (const outcome of opened.run({ name: 'example', text }, { keepGoing: true })) outcomes.push(outcome);
  await opened.close();
  return outcomes;
}

function exportIn(outcomes: readonly StatementOutcome[]): string {
  const found = outcomes.flatMap((outcome) => (outcome.kind === 'export' ? [outcome.text] : []));
  assert.is(found.length, 1);
  return found.join('');
}

for (const name of names) {
  const cwd = join(home, name);

  test(`${name}: its schema compiles without a warning`, async () => {
    const { status, stderr } = await runToolHere(['check', 'schema'], { cwd });
    assert.equal([status, stderr], [0, '']);
  });

  test(`${name}: its scripts meet every expectation, and reach every event and every rejection`, async () => {
    const words = ['test', 'tests', '--schema', 'schema', '--coverage', '--json'];
    const { status, stdout } = await runToolHere(words, { cwd });
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

  test(`${name}: its registry validates without findings, and its export gives the same export again`, async () => {
    const schema = schemaText(cwd);
    const first = await session(
      await openMemoryStore({ starts: 'when asked' }),
      schema,
      'VALIDATE REGISTRY; EXPORT REGISTRY;',
    );
    const exported = exportIn(first);
    assert.equal(
      first.flatMap((outcome) => (outcome.kind === 'validate' ? outcome.table.rows : [])),
      [],
    );
    assert.is(
      exportIn(await session(await openMemoryStore({ starts: 'when asked' }), exported, 'EXPORT REGISTRY;')),
      exported,
    );
  });

  test(`${name}: is in canonical form`, async () => {
    const result = await runToolHere(['fmt', '--check', 'schema', 'tests'], { cwd });
    assert.equal(result, { status: 0, stdout: '', stderr: '' });
  });

  test(`${name}: its log, exported and imported, is exported to the same entries`, () =>
    withTempFolder(async (folder) => {
      const [one, other] = [join(folder, 'one'), join(folder, 'other')];
      const scripts = Object.values(readTree(join(cwd, 'tests'))).join('\n');
      await session(await openEmbeddedStore({ directory: one }), schemaText(cwd), scripts);
      const tool = (...words: readonly string[]): Promise<ToolResult> => runToolHere(words, { cwd });
      const exported = await tool('log', 'export', '-', '--data', one);
      assert.ok(exported.stdout.split('\n').length > 3, exported.stderr);
      writeFileSync(join(folder, 'log.jsonl'), exported.stdout);
      const imported = await tool('log', 'import', join(folder, 'log.jsonl'), '--data', other);
      assert.is(imported.status, 0, imported.stderr);
      const again = (await tool('log', 'export', '-', '--data', other)).stdout.trimEnd().split('\n').slice(0, -1);
      const lines = exported.stdout.trimEnd().split('\n').slice(0, -1);
      assert.equal(again.slice(0, lines.length), lines);
      // Each reaction is paused by the import, so that nothing that was answered before is answered again (docs/operation.md#reactions).
      assert.equal(
        again.slice(lines.length).map((line) => /"reaction":\{"name":"(\w+)".*"is":"paused"/.exec(line)?.[1] ?? line),
        [...schemaText(cwd).matchAll(/^CREATE REACTION (\w+)/gm)].map(([, reaction]) => reaction).toSorted(),
      );
    }));

  test(`${name}: the list of examples names it`, () => {
    assert.ok(existsSync(join(cwd, 'README.md')));
    assert.match(readFileSync(join(home, 'README.md'), 'utf8'), `[${name}](${name})`);
  });
}

for (const [what, word] of [
  ['an unknown name', 'bike'],
  ['a path', '../examples/bike-rental'],
  ['a file', 'README.md'],
] as const)
  test(`npm start refuses ${what} and lists the existing names`, () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import=tsx', 'scripts/start.ts', word], {
      cwd: root,
      encoding: 'utf8',
    });
    const message = `there is no example '${word}'; there are ${[...names].sort().join(', ')}\n`;
    assert.equal({ status, stdout, stderr }, { status: 2, stdout: '', stderr: message });
  });

test.run();
