import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { runToolHere } from '../kit/tool-here.ts';

const table: readonly (readonly [what: string, manifest: string | undefined, own: boolean])[] = [
  ['no package around the folder', undefined, true],
  ['a package of ES modules', '{"type":"module"}', false],
  ['a package of CommonJS modules', '{"type":"commonjs"}', true],
  ['a package that says nothing', '{"name":"shop"}', true],
  ['a package that is no JSON', 'shop', true],
];

for (const [what, manifest, own] of table) {
  test(`generated/package.json marks the modules as ESM only when needed: ${what}`, () =>
    withTempFolder(async (folder) => {
      writeFiles(folder, {
        'schema/box.schema': 'CREATE AGGREGATE Box;',
        ...(manifest === undefined ? {} : { 'package.json': manifest }),
      });
      assert.is((await runToolHere(['build', 'schema'], { cwd: folder })).status, 0);
      assert.is(existsSync(join(folder, 'generated/package.json')), own);
    }));
}

test.run();
