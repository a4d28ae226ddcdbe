/**
 * `node --conditions=schemac-source --import tsx test/editors/neovim.ts`: a real Neovim on the built tool (`npm run build` before), or a line that
 * says that there is none.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { root } from '../kit/tool.ts';

if (spawnSync('nvim', ['--version']).status !== 0) console.log('skipped: there is no nvim here');
else await withTempFolder(tryNeovim);

function tryNeovim(folder: string): Promise<void> {
  writeFiles(folder, {
    'schemac.config.json': '{ "schema": ["schema"] }',
    'schema/a.schema': 'CREATE AGGREGATE A;\nCREATE COMMAND C (id STRING);\nCREATE EVENT Done (what INT);\n',
    'schema/b.schema': 'CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT Dne ();\n',
  });
  const command = [process.execPath, join(root, 'dist/cli/main.js'), 'lsp', '--stdio'];
  const { stdout, stderr } = spawnSync(
    'nvim',
    ['--headless', '--clean', '-n', '-c', `luafile ${join(root, 'test/editors/neovim.lua')}`],
    {
      env: { ...process.env, SCHEMAC_FOLDER: folder, SCHEMAC_COMMAND: JSON.stringify(command) },
      encoding: 'utf8',
      timeout: 180_000,
    },
  );
  const line = stdout.split('\n').find((each) => each.startsWith('{'));
  assert.ok(line !== undefined, stdout + stderr);
  assert.equal(JSON.parse(line), {
    diagnostic: ['E0201', 0, 58, 'schemac'],
    completion: ['what'],
    renamed: {
      a: 'CREATE AGGREGATE A;\nCREATE COMMAND C (id STRING);\nCREATE EVENT Finished (what INT);',
      b: 'CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT Finished (what := 1);',
    },
  });
  console.log('Neovim shows the diagnostic, completes the field, and renames the event in both files');
  return Promise.resolve();
}
