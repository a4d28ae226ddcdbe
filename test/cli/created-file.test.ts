import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createdFile, keepPosted, storesToOpen, withChanges } from '../../cli/serve/created-file.ts';
import { compileFiles, type CatalogChange } from '../../compiler/index.ts';
import { Failure } from '../../language/failure/failure.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';

const put = (name: string, text = `CREATE AGGREGATE ${name};`): CatalogChange => ({
  change: 'put',
  block: 'aggregate',
  name,
  text,
});
const drop = (name: string): CatalogChange => ({ change: 'drop', block: 'aggregate', name });

const texts: [name: string, before: string, changes: CatalogChange[], after: string][] = [
  ['an empty file', '', [put('A')], 'CREATE OR REPLACE AGGREGATE A;\n'],
  [
    'several blocks, in their order',
    '',
    [put('A'), put('B')],
    'CREATE OR REPLACE AGGREGATE A;\n\nCREATE OR REPLACE AGGREGATE B;\n',
  ],
  [
    'an earlier text of the same block goes, comments stay',
    '-- by hand\n\nCREATE AGGREGATE A; -- the first\n\n-- the second\nCREATE OR REPLACE AGGREGATE B;\n\n-- the end\n',
    [put('A', 'CREATE AGGREGATE A (id STRING KEY);')],
    '-- by hand\n\n-- the first\n\n-- the second\nCREATE OR REPLACE AGGREGATE B;\n\n-- the end\n\nCREATE OR REPLACE AGGREGATE A (id STRING KEY);\n',
  ],
  [
    'what does not parse stays',
    'CREATE AGGREGATE ;\nCREATE AGGREGATE A;',
    [put('B')],
    'CREATE AGGREGATE ;\nCREATE AGGREGATE A;\n\nCREATE OR REPLACE AGGREGATE B;\n',
  ],
  ['a dropped block goes', 'CREATE AGGREGATE A;\nCREATE AGGREGATE B;\n', [drop('A')], 'CREATE AGGREGATE B;\n'],
  ['the last one', 'CREATE AGGREGATE A;\n', [drop('A')], ''],
  ['one that is in another file', 'CREATE AGGREGATE A;\n', [drop('B')], 'CREATE AGGREGATE A;\n'],
  [
    'another kind of that name stays',
    'CREATE COMMAND A (id STRING);\n',
    [put('A')],
    'CREATE COMMAND A (id STRING);\n\nCREATE OR REPLACE AGGREGATE A;\n',
  ],
];
for (const [name, before, changes, after] of texts) {
  test(`the text with posted blocks: ${name}`, () => {
    assert.is(withChanges(before, changes), after);
  });
}

const stores: [name: string, own: string, posted: string, opened: string[]][] = [
  ['nothing posted', "CREATE EVENTSTORE Own WITH (durable.path = 'own');", '', ['Own "own"']],
  ['posted alone', 'CREATE AGGREGATE A;', "CREATE EVENTSTORE Other WITH (durable.path = 'other');", []],
  [
    'posted over one of the files',
    "CREATE EVENTSTORE Own WITH (durable.path = 'own');",
    "CREATE OR REPLACE EVENTSTORE Own WITH (durable.path = 'other');",
    ['Own "own"'],
  ],
  [
    'files that need what was posted',
    `CREATE EVENTSTORE Own WITH (durable.path = 'own');
CREATE PROJECTION P AS SELECT COUNT(*) AS n FROM Reg."A$Events";`,
    "CREATE AGGREGATE A; CREATE EVENTSTORE Other WITH (durable.path = 'other');",
    ['Own "own"'],
  ],
];
for (const [name, own, text, opened] of stores) {
  test(`stores to open: ${name}`, () => {
    const sources = [
      { name: '/s/a.schema', text: own },
      { name: '/s/created.schema', text },
    ];
    const found = storesToOpen(compileFiles(sources).catalog, sources, '/s/created.schema', '/');
    assert.equal(
      found.map((store) => `${store.name} ${JSON.stringify(store.options[0]?.value)}`),
      opened,
    );
  });
}

test('the file for posted blocks is in the first folder, or next to the first file', () =>
  withTempFolder((folder) => {
    writeFiles(folder, { 'schema/a.schema': '' });
    assert.equal(
      [['schema'], ['schema/a.schema', 'x'], []].map((paths) => createdFile(folder, paths)),
      ['schema/created.schema', 'schema/created.schema', 'created.schema'].map((path) => join(folder, path)),
    );
    assert.throws(() => createdFile(folder, ['later']), "there is no file or folder 'later'");
  }));

test('posted blocks that fail to come into force are removed from the file again', () =>
  withTempFolder((folder) => {
    const file = join(folder, 'created.schema');
    const takeBack = keepPosted(file, [put('A')]);
    assert.is(readFileSync(file, 'utf8'), 'CREATE OR REPLACE AGGREGATE A;\n');
    keepPosted(file, [put('B')])();
    assert.is(readFileSync(file, 'utf8'), 'CREATE OR REPLACE AGGREGATE A;\n');
    takeBack();
    assert.not(existsSync(file));
    assert.equal(readdirSync(folder), []);
  }));

test('a link stays a link, and a file keeps its mode', () =>
  withTempFolder((folder) => {
    const file = join(folder, 'created.schema');
    writeFileSync(join(folder, 'elsewhere'), '', { mode: 0o640 });
    chmodSync(join(folder, 'elsewhere'), 0o640);
    symlinkSync('elsewhere', file);
    keepPosted(file, [put('A')]);
    assert.ok(lstatSync(file).isSymbolicLink());
    assert.is(readFileSync(join(folder, 'elsewhere'), 'utf8'), 'CREATE OR REPLACE AGGREGATE A;\n');
    assert.is(statSync(file).mode & 0o777, 0o640);
  }));

test('a file that cannot be written is named and left unchanged', () =>
  withTempFolder((folder) => {
    const file = join(folder, 'created.schema');
    const refusal = (): unknown => {
      try {
        keepPosted(file, [put('A')]);
        return 'kept';
      } catch (error) {
        return error instanceof Failure ? [error.code, error.message.replaceAll(file, 'FILE')] : error;
      }
    };
    writeFileSync(file, '-- mine\n', { mode: 0o444 });
    const start = 'nothing was changed: the posted schema cannot be saved in FILE: ';
    assert.equal(refusal(), ['R0410', `${start}it is not writable`]);
    assert.is(readFileSync(file, 'utf8'), '-- mine\n');
    chmodSync(file, 0o644);
    mkdirSync(`${file}.new`);
    assert.equal(refusal(), ['R0410', `${start}EISDIR: illegal operation on a directory, open 'FILE.new'`]);
    assert.is(readFileSync(file, 'utf8'), '-- mine\n');
  }));

test.run();
