import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { domainFormat } from '../../language/contract/domain.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { root, runTool } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';

const notWhole =
  "the generated server in 'generated' is not whole, because a build was cut short or files were removed; 'schemac build' makes it again";

/** Folders in which no server can start, and the messages. */
const table: readonly (readonly [what: string, entry: string, said: (folder: string) => string, path?: string])[] = [
  ['without a domain', 'export {};', () => `'generated/dist/index.js' does not export a domain; build it again`],
  [
    'of another format',
    'export const domain = { format: 1 };',
    () => `'generated' was built by another version of schemac; build it again`,
  ],
  ['that a build left half written', 'export {};', () => notWhole, 'generated/build.unfinished'],
  ['without one of its modules', "import './read-model.js';", () => notWhole],
  [
    'whose modules are not in dist',
    'export const domain = { format: 2 };',
    () => `'generated' was built by another version of schemac; build it again`,
    'generated/index.js',
  ],
  [
    'whose modules import another copy of the package',
    `import { defineDomain } from 'schemac/runtime';\nexport const domain = defineDomain({ format: ${domainFormat} });`,
    (folder) =>
      `'generated' imports its own schemac, ${folder}/node_modules/schemac, and this one is ${root.replace(/\/$/, '')}; start it with 'node generated/server.js'`,
  ],
];

const another = {
  'package.json': '{"type":"module"}',
  'node_modules/schemac/package.json':
    '{"name":"schemac","type":"module","exports":{"./runtime":"./runtime.js","./package.json":"./package.json"}}',
  'node_modules/schemac/runtime.js': 'export const defineDomain = (domain) => domain;',
};

for (const [what, entry, said, path = 'generated/dist/index.js'] of table)
  test(`start in a folder ${what}`, () =>
    withTempFolder(async (folder) => {
      writeFiles(folder, { ...another, [path]: entry });
      const { status, stderr } = await runTool(['start', '--port', '0'], { cwd: folder });
      assert.equal([status, stderr], [1, `schemac: ${said(folder)}\n`]);
    }));

test('a folder in place of the read model on disk is named, with what to do', () =>
  withTempFolder(async (cwd) => {
    writeFiles(cwd, { 'a.schema': 'CREATE AGGREGATE Box;', 'q.schema': 'SELECT 1 AS one;' });
    assert.is((await runToolHere(['run', 'a.schema', '--data', 'data'], { cwd })).status, 0);
    mkdirSync(join(cwd, 'data/read-model.db'));
    assert.is((await runToolHere(['build', 'a.schema'], { cwd })).status, 0);
    const { status, stderr } = await runTool(['start', '--data', 'data', '--port', '0'], {
      cwd,
      environment: { SCHEMAC_READ_ENGINE: 'disk' },
    });
    assert.equal(
      [status, stderr.split('\n').at(-2)],
      [
        3,
        `schemac: the read model cannot be kept in ${join(cwd, 'data/read-model.db')}: it is a folder. Remove it and start again: the read model is built from the log`,
      ],
    );
  }));

/** Cases of the place where a start makes a link to this package if no package is found. */
const places: readonly (readonly [what: string, prepare: (modules: string) => void])[] = [
  ['without the link', () => undefined],
  [
    'with a link to where the package was once',
    (modules) => symlinkSync('/was/once/schemac', join(modules, 'schemac')),
  ],
];

for (const [what, prepare] of places)
  test(`start in a folder that has modules ${what}`, () =>
    withTempFolder(async (folder) => {
      writeFiles(folder, {
        'generated/dist/index.js': "import 'schemac/runtime';\nexport const domain = { format: 0 };",
        'generated/node_modules/other/package.json': '{}',
      });
      prepare(join(folder, 'generated/node_modules'));
      const { status, stderr } = await runTool(['start', '--port', '0'], { cwd: folder });
      assert.equal(
        [status, stderr],
        [1, `schemac: 'generated' was built by another version of schemac; build it again\n`],
      );
      assert.equal(readdirSync(join(folder, 'generated/node_modules')), ['other', 'schemac']);
    }));

test.run();
