import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { watchDisk } from '../../cli/lsp/disk-watch.ts';
import { realPathOf } from '../../cli/lsp/project-files.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';

test('for an editor that watches nothing, changed schema files and configurations are seen, and no others', () =>
  withTempFolder(async (given) => {
    const folder = realPathOf(given);
    writeFiles(folder, { 'schemac.config.json': '{}', 'schema/a.schema': '' });
    mkdirSync(join(folder, 'node_modules'));
    const seen: string[] = [];
    let look = (): void => undefined;
    const heard = (wanted: string): Promise<void> =>
      new Promise((resolve) => {
        look = () => (seen.includes(wanted) ? resolve() : undefined);
        look();
      });
    const watch = watchDisk(
      (paths) => {
        seen.push(...(paths.length === 0 ? ['ready'] : paths.map((path) => path.slice(folder.length + 1))));
        look();
      },
      (error) => assert.unreachable(String(error)),
      Promise.resolve(),
    );
    watch.add(join(folder, 'schema/a.schema'));
    await heard('ready');
    for (const [name, text] of [
      ['node_modules/x.schema', ''],
      ['notes.txt', ''],
      ['schema/a.schema', 'SELECT 1;'],
      ['schema/b.schema', ''],
      ['schemac.config.json', '{ }'],
    ] as const) {
      writeFileSync(join(folder, name), text);
      if (name.startsWith('schema')) await heard(name);
    }
    assert.equal([...new Set(seen)].sort(), ['ready', 'schema/a.schema', 'schema/b.schema', 'schemac.config.json']);
    await watch.close();
  }));

test('a watch that is closed at once watches nothing', async () => {
  const refuse = (): void => assert.unreachable();
  const watch = watchDisk(refuse, refuse, Promise.resolve());
  watch.add('/nowhere/a.schema');
  await watch.close();
});

test.run();
