import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { compileFunction } from 'node:vm';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { textMateGrammar } from '../../editors/textmate-grammar.ts';
import { packageEditor } from '../../scripts/package-editor.ts';
import { root } from '../kit/tool.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { readZip } from '../kit/zip.ts';

const run = promisify(execFile);
const mostBytes = 3 * 1024 * 1024;

/** Answers any name with something that can be called, made and extended: the bundle only has to load. */
function anything(): unknown {
  const target = function base(): undefined {
    return undefined;
  };
  const get = (given: object, key: string | symbol): unknown =>
    key === 'prototype' ? Reflect.get(given, key) : anything();
  return new Proxy(target, { get });
}

if (!existsSync(join(root, 'dist/cli/main.js'))) {
  console.log('skipped: npm run build has not been run');
  test.skip('the extension of VS Code contains its files, and its tool works', () => undefined);
} else
  test('the extension of VS Code contains its files, and its tool works', () =>
    withTempFolder(async (folder) => {
      const bytes = readFileSync(await packageEditor(folder));
      assert.ok(bytes.length < mostBytes, `${bytes.length} bytes`);
      const files = readZip(bytes);
      const names = [...files.keys()].filter((name) => !name.startsWith('extension/tool/'));
      assert.equal(names.sort(), [
        '[Content_Types].xml',
        'extension.vsixmanifest',
        'extension/LICENSE.txt',
        'extension/THIRD-PARTY.md',
        'extension/client/extension.cjs',
        'extension/icons/file.svg',
        'extension/icons/schemac.png',
        'extension/language-configuration.json',
        'extension/package.json',
        'extension/readme.md',
        'extension/schemac.config.schema.json',
        'extension/snippets/schemac.json',
        'extension/syntaxes/schemac.tmLanguage.json',
      ]);
      const textOf = (name: string): string => files.get(`extension/${name}`)?.toString() ?? '';
      const manifest = JSON.parse(textOf('package.json')) as Record<string, unknown>;
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
      assert.equal(
        [manifest['version'], manifest['publisher'], manifest['license']],
        [version, 'schemac', 'Apache-2.0'],
      );
      assert.match(JSON.stringify(manifest['contributes']), 'AGGREGATE|COMMAND|');
      for (const [path] of JSON.stringify(manifest['contributes']).matchAll(/(?<="\.\/)[^"]+/g))
        assert.ok(files.has(`extension/${path}`), path);
      assert.equal(JSON.parse(textOf('syntaxes/schemac.tmLanguage.json')), textMateGrammar());

      for (const [name, content] of files) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), content);
      }
      const client: { exports: { activate?: unknown } } = { exports: {} };
      const load = createRequire(import.meta.url);
      const provide = (name: string): unknown => (name === 'vscode' ? anything() : load(name));
      const started = compileFunction(textOf('client/extension.cjs'), ['require', 'module', 'exports']) as (
        require: (name: string) => unknown,
        module: typeof client,
        exports: object,
      ) => void;
      started(provide, client, client.exports);
      assert.type(client.exports.activate, 'function');

      writeFiles(folder, {
        'a.schema':
          'CREATE AGGREGATE A; CREATE COMMAND C (id STRING); CREATE EVENT E ();\nCREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT E ();',
        'b.schema':
          'EXECUTE C(id := \'1\');\n--= emitted [{"event_type": "E"}]\nSELECT COUNT(*) AS n FROM Reg."A$Events";\n--= rows [[1]]\n',
      });
      const main = join(folder, 'extension/tool/cli/main.js');
      const { stdout } = await run(process.execPath, [main, 'test', 'b.schema', '--schema', 'a.schema'], {
        cwd: folder,
      });
      assert.match(stdout, /2 passed, 0 failed/);
    }));

test.run();
