/**
 * `node --conditions=schemac-source --import tsx test/editors/emacs.ts`: a real Emacs with eglot (Debian: emacs-nox, elpa-eglot) on the built tool
 * (`npm run build` before), or a line that says that there is none.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { root } from '../kit/tool.ts';

const hasEglot = spawnSync('emacs', ['--batch', '-q', '--eval', "(require 'eglot)"]).status === 0;
if (!hasEglot) console.log('skipped: there is no emacs with eglot here');
else await withTempFolder(tryEmacs);

function tryEmacs(folder: string): Promise<void> {
  writeFiles(folder, {
    'schemac.config.json': '{ "schema": ["schema"] }',
    'schema/a.schema': 'CREATE AGGREGATE A;\nCREATE COMMAND C (id STRING);\nCREATE EVENT Done (what INT);\n',
    'schema/b.schema': 'CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT Dne ();\n',
  });
  const command = [process.execPath, join(root, 'dist/cli/main.js'), 'lsp', '--stdio'];
  const { stdout, stderr } = spawnSync('emacs', ['--batch', '-q', '-l', join(root, 'test/editors/emacs.el')], {
    env: { ...process.env, SCHEMAC_FOLDER: folder, SCHEMAC_COMMAND: JSON.stringify(command) },
    encoding: 'utf8',
    input: 'y\n', // a rename over files asks
    timeout: 180_000,
  });
  const line = stdout.split('\n').findLast((each) => each.includes('"completion"')) ?? '';
  assert.ok(line !== '', stdout + stderr);
  assert.equal(JSON.parse(line.slice(line.indexOf('{"diagnostic"'))), {
    diagnostic: ["schemac [E0201]: there is no event 'Dne'; did you mean 'Done'?", 1],
    completion: ['what'],
    b: 'CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT Finished ();\n',
    a: 'CREATE AGGREGATE A;\nCREATE COMMAND C (id STRING);\nCREATE EVENT Finished (what INT);\n',
  });
  console.log('Emacs shows the diagnostic, completes the field, and renames the event in both files');
  return Promise.resolve();
}
