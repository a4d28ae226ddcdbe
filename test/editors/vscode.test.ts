import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findTool } from '../../editors/vscode/client/find-tool.ts';
import { failureText, readReport, testsOf } from '../../editors/vscode/client/script-tests.ts';
import { compileFiles, parseScript } from '../../compiler/index.ts';
import { blockKeywords } from '../../language/contract/block-kind.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { root } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';

interface Manifest {
  readonly contributes: {
    readonly problemMatchers: readonly {
      readonly pattern: { readonly regexp: string } & Readonly<Record<string, number | string>>;
    }[];
    readonly languages: readonly { readonly firstLine: string }[];
  };
}
const manifest = JSON.parse(readFileSync(join(root, 'editors/vscode/package.json'), 'utf8')) as Manifest;

test('the tool of the project is used where it is trusted, else that of the extension', () =>
  withTempFolder((folder) => {
    const main = join(folder, 'a/node_modules/schemac/dist/cli/main.js');
    const inner = join(folder, 'a/b/c');
    for (const path of [join(main, '..'), inner, join(folder, 'd')]) mkdirSync(path, { recursive: true });
    writeFileSync(main, '');
    const choice = { folders: [join(folder, 'd'), inner], trusted: true, named: '', own: 'own.js' };
    assert.equal(
      [
        findTool(choice),
        findTool({ ...choice, trusted: false }),
        findTool({ ...choice, named: 'x.js' }),
        findTool({ ...choice, named: 'x.js', trusted: false }),
        findTool({ ...choice, folders: [join(folder, 'd')] }),
      ],
      [main, 'own.js', 'x.js', 'own.js', 'own.js'],
    );
  }));

const script = `-- a note
EXECUTE Open(id := '1');
--= emitted [{"event_type": "Opened"}]

EXECUTE Open(id := '1',
  owner := 'a');
--= rejected
--= lacks "b"
SELECT 1;
`;
test('the tests of a script are its expectations, each with its statement', () => {
  assert.equal(
    testsOf(script).map(({ line, statement, expectation }) => `${line} ${statement} ${expectation}`),
    [
      `3 EXECUTE Open(id := '1'); emitted [{"event_type": "Opened"}]`,
      `7 EXECUTE Open(id := '1', owner := 'a'); rejected`,
      `8 EXECUTE Open(id := '1', owner := 'a'); lacks "b"`,
    ],
  );
  assert.equal(testsOf(''), []);
  assert.equal(testsOf('--= ok'), [{ line: 1, statement: '', expectation: 'ok' }]);
});

test('each test of a script has a verdict in the report of schemac test', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, {
      'schemac.config.json': '{ "schema": ["schema"], "tests": ["tests"] }',
      'schema/a.schema': `CREATE AGGREGATE A; CREATE COMMAND Open (id STRING, owner STRING NULL); CREATE EVENT Opened ();
CREATE DECISION D FOR A ON COMMAND Open EMIT AS SELECT EVENT Opened ();`,
      'tests/a.schema': script,
    });
    const { stdout, status } = await runToolHere(['test', 'tests/a.schema', '--json'], { cwd: folder });
    const verdicts = readReport(stdout)?.get('tests/a.schema') ?? [];
    assert.equal([status, verdicts.map(({ line }) => line)], [1, testsOf(script).map(({ line }) => line)]);
    assert.equal(
      verdicts.map((verdict) => failureText(verdict).split('\n').slice(0, 2)),
      [[''], ['another outcome', 'expected: a rejection'], ['']],
    );
    writeFiles(folder, { 'schema/a.schema': 'CREATE' });
    const broken = await runToolHere(['test', 'tests/a.schema', '--json'], { cwd: folder });
    assert.is(readReport(broken.stdout), undefined);
  }));

test('the problem matcher reads what check writes', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'a.schema': 'CREATE EVENT E (a STRONG, a INT);\nCREATE AGGREGATE A;' });
    const { stderr, stdout } = await runToolHere(['check', 'a.schema'], { cwd: folder });
    const [{ pattern } = { pattern: { regexp: '' } }] = manifest.contributes.problemMatchers;
    const keys = ['file', 'line', 'column', 'severity', 'code'];
    const found = (stderr + stdout).split('\n').flatMap((line) => {
      const match = new RegExp(pattern.regexp).exec(line);
      return match === null ? [] : [keys.map((key) => match[Number(pattern[key as 'regexp'])]).join(' ')];
    });
    assert.equal(found, ['a.schema 1 19 error E0301', 'a.schema 1 27 error E0212']);
  }));

test('a text without an ending is known by its first line', () => {
  const [{ firstLine: pattern } = { firstLine: '' }] = manifest.contributes.languages;
  assert.match(pattern, '(BLOCKS)');
  const firstLine = pattern.replace('BLOCKS', blockKeywords.join('|')); // as it is packaged
  const lines = ['CREATE EVENT E ();', '-- rules, schemac', 'CREATE OR REPLACE TEMPLATE', 'CREATE TABLE t', 'SELECT 1'];
  assert.equal(
    lines.map((line) => new RegExp(firstLine).test(line)),
    [true, true, true, false, false],
  );
});

/** The text of a snippet with its defaults in place. */
function expanded(body: readonly string[]): string {
  const defaults = new Map<string, string>();
  const text = body.join('\n').replace(/\$\{(\d+):([^}]*)\}/g, (_, number: string, given: string) => {
    defaults.set(number, given);
    return given;
  });
  return text.replace(/(?<!\\)\$(\d)/g, (_, number: string) => defaults.get(number) ?? '').replaceAll('\\$', '$');
}

test('a snippet is a text of the language', () => {
  const path = join(root, 'editors/vscode/snippets/schemac.json');
  const snippets = JSON.parse(readFileSync(path, 'utf8')) as Record<string, { readonly body: readonly string[] }>;
  const texts = Object.entries(snippets).map(([name, { body }]) => ({ name, text: expanded(body) }));
  assert.equal(
    texts.flatMap((file) => parseScript(file).diagnostics.map(({ message }) => `${file.name}: ${message}`)),
    [],
  );
  const [domain] = texts.filter(({ name }) => name === 'domain');
  assert.equal(compileFiles(domain === undefined ? [] : [domain]).diagnostics, []);
});

test.run();
