import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { projectTemplates } from '../../cli/project/project-files.ts';
import { stockNames } from '../../cli/project/stock.ts';
import { readTree } from '../kit/cases.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { root } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { ownDependency } from '../../cli/commands/init.ts';

const common = [
  '.dockerignore',
  '.editorconfig',
  '.github/workflows/ci.yml',
  '.gitignore',
  '.vscode/extensions.json',
  '.vscode/launch.json',
  '.vscode/settings.json',
  '.vscode/tasks.json',
  'Dockerfile',
  'README.md',
  'package.json',
  'schema/store.schema',
  'schemac.config.json',
  'vendor/schemac-0.1.0.tgz',
];
const stock = ['approval', 'entity', 'ledger', 'payment', 'unique'];
const names = ['approval', 'empty', 'entity', 'ledger', 'payment', 'tasks', 'unique'];
const own: Readonly<Record<string, readonly string[]>> = {
  empty: ['schema/first.schema', 'tests/first.schema'],
  tasks: ['schema/task.schema', 'tests/task.schema'],
  ...Object.fromEntries(
    stock.map((name) => [name, [`schema/${name}.schema`, `schema/templates/${name}.schema`, `tests/${name}.schema`]]),
  ),
};

test('the templates for projects and blocks', () => assert.equal([projectTemplates(), stockNames()], [names, stock]));

for (const name of names) {
  test(`init --template ${name}: the new project is complete, compiles, passes its tests and is in canonical form`, () =>
    withTempFolder(async (folder) => {
      const words = name === 'tasks' ? ['init', 'My Shop'] : ['init', 'My Shop', '--template', name];
      const { status, stdout, stderr } = await runToolHere(words, { cwd: folder });
      const next = '\nNext: cd My Shop && npm install && npm test && npm run dev\n';
      assert.equal([status, stderr], [0, next]);
      const project = join(folder, 'My Shop');
      const files = readTree(project);
      assert.equal(Object.keys(files).sort(), [...common, ...(own[name] ?? [])].sort());
      assert.equal(
        stdout,
        [...common, ...(own[name] ?? [])]
          .sort()
          .map((path) => `My Shop/${path}\n`)
          .join(''),
      );
      const manifest = JSON.parse(files['package.json'] ?? '') as Record<string, unknown>;
      assert.equal(
        [manifest['name'], manifest['dependencies']],
        ['my-shop', { schemac: 'file:vendor/schemac-0.1.0.tgz' }],
      );
      for (const path of common) assert.not.match(files[path] ?? '', /\{\{\w+\}\}/, path);

      const checked = await runToolHere(['check', 'schema'], { cwd: project });
      // A new project has an aggregate without any events.
      assert.equal([checked.status, checked.stderr === ''], [0, name !== 'empty'], checked.stderr);
      const tested = await runToolHere(['test', '--coverage', '--json'], { cwd: project });
      const { failed, coverage } = JSON.parse(tested.stdout) as { failed: number; coverage: { missed: unknown } };
      assert.equal([tested.status, failed, coverage.missed], [0, 0, []], tested.stdout);
      const formatted = await runToolHere(['fmt', '--check'], { cwd: project });
      assert.equal(formatted, { status: 0, stdout: '', stderr: '' });
      if (name === 'empty') return;
      const validated = await runToolHere(['validate', 'schema', '--json'], { cwd: project });
      assert.equal((JSON.parse(validated.stdout) as { rows: unknown }).rows, []);
    }));
}

test('VS Code starts what docs/debugging.md shows, after a task that exists', () => {
  const own = (name: string): unknown =>
    JSON.parse(readFileSync(join(root, 'templates/project/.vscode', name), 'utf8')) as unknown;
  const { configurations } = own('launch.json') as { readonly configurations: readonly Record<string, unknown>[] };
  const [{ preLaunchTask, name: _, ...launched } = {}] = configurations;
  const { tasks } = own('tasks.json') as { readonly tasks: readonly { readonly label: string }[] };
  assert.ok(tasks.some(({ label }) => label === preLaunchTask));
  const page = readFileSync(join(root, 'docs/debugging.md'), 'utf8');
  const shown = JSON.parse(/```json\n(.*?)```/s.exec(page)?.[1] ?? '') as {
    readonly configurations: readonly object[];
  };
  const [{ name: __, ...described } = {}] = shown.configurations as readonly Record<string, unknown>[];
  assert.equal(launched, described);
});

test('init keeps existing files and says so', () =>
  withTempFolder(async (folder) => {
    const manifest = {
      name: 'mine',
      scripts: { test: 'echo "Error: no test specified" && exit 1', build: 'make' },
      dependencies: { schemac: 'file:../schemac.tgz' },
      licence: 'none',
    };
    writeFiles(folder, { 'README.md': 'Mine.\n', 'package.json': JSON.stringify(manifest) });
    mkdirSync(join(folder, 'node_modules/schemac'), { recursive: true });
    const { status, stderr } = await runToolHere(['init'], { cwd: folder });
    const said = [
      'kept README.md, which already existed',
      'added engines.node, scripts.dev, scripts.start, scripts.test, scripts.check, scripts.format to package.json, which already existed',
      '',
      'Next: npm test && npm run dev',
      '',
    ].join('\n');
    assert.equal([status, stderr], [0, said]);
    const files = readTree(folder);
    assert.is(files['README.md'], 'Mine.\n');
    assert.equal(JSON.parse(files['package.json'] ?? ''), {
      name: 'mine',
      scripts: {
        test: 'schemac test tests --schema schema',
        build: 'make',
        dev: 'schemac dev schema',
        start: 'schemac start generated',
        check: 'schemac check schema && schemac validate schema && schemac fmt --check schema tests',
        format: 'schemac fmt schema tests',
      },
      dependencies: { schemac: 'file:../schemac.tgz' },
      licence: 'none',
      engines: { node: '>=20.19' },
    });
  }));

test('init adds its files to those of any folder', () =>
  withTempFolder(async (folder) => {
    const files = { Dockerfile: 'FROM scratch\n', 'src/a.ts': '', '.github/workflows/own.yml': '', 'tests/a.ts': '' };
    writeFiles(folder, files);
    const { status, stderr } = await runToolHere(['init', '.', '--template', 'empty'], { cwd: folder });
    const next = 'kept Dockerfile, which already existed\n\nNext: npm install && npm test && npm run dev\n';
    assert.equal([status, stderr], [0, next]);
    const now = readTree(folder);
    assert.equal(
      Object.keys(now).sort(),
      [...new Set([...common, ...(own['empty'] ?? []), ...Object.keys(files)])].sort(),
    );
    assert.equal({ ...now, ...files }, now);
  }));

for (const [what, files, message] of [
  ['a schema', { 'a.txt': '', 'schema/b.schema': '' }, "the folder '.' is a project already; it contains schema\n"],
  [
    'a configuration',
    { 'schemac.config.json': '{}' },
    "the folder '.' is a project already; it contains schemac.config.json\n",
  ],
  ['a package.json that is none', { 'package.json': 'shop' }, "'package.json' is not JSON: "],
  ['a package.json that is a list', { 'package.json': '[]' }, "'package.json' is not an object"],
  ['scripts that are a text', { 'package.json': '{"scripts":"x"}' }, "'scripts' of package.json is not an object"],
] as const)
  test(`init refuses a folder with ${what}, and leaves it as it was`, () =>
    withTempFolder(async (folder) => {
      writeFiles(folder, files);
      const { status, stdout, stderr } = await runToolHere(['init'], { cwd: folder });
      assert.equal([status, stdout, stderr.startsWith(`schemac: ${message}`)], [1, '', true], stderr);
      assert.equal(readTree(folder), files);
    }));

for (const [words, status, message] of [
  [
    ['init', 'x', '--template', 'task'],
    2,
    "there is no project template 'task'; did you mean 'tasks'? There are approval, empty, entity, ledger, payment, tasks and unique",
  ],
  [
    ['init', 'x', '--template', '../stock'],
    2,
    "there is no project template '../stock'; there are approval, empty, entity, ledger, payment, tasks and unique",
  ],
  [
    ['add', 'template', 'crud'],
    1,
    "there is no stock template 'crud'; there are approval, entity, ledger, payment and unique",
  ],
  [
    ['add', 'template', 'legder'],
    1,
    "there is no stock template 'legder'; did you mean 'ledger'? There are approval, entity, ledger, payment and unique",
  ],
] as const)
  test(`${words.join(' ')} lists what is available`, () =>
    withTempFolder(async (folder) => {
      assert.equal(await runToolHere(words, { cwd: folder }), { status, stdout: '', stderr: `schemac: ${message}\n` });
      assert.equal(readdirSync(folder), []);
    }));

test('add template without a name lists the templates with their purposes', () =>
  withTempFolder(async (folder) => {
    const { stdout } = await runToolHere(['add', 'template'], { cwd: folder });
    const lines = stdout.trimEnd().split('\n');
    assert.equal(
      lines.map((line) => line.split(/ {2,}/)[0]),
      stock,
    );
    assert.is(lines[1], 'entity    A thing with a life: created, changed as a whole, archived and restored.');
  }));

test('add template copies one into the schema folder, once', () =>
  withTempFolder(async (folder) => {
    const first = await runToolHere(['add', 'template', 'ledger'], { cwd: folder });
    assert.equal(first, {
      status: 0,
      stdout: 'schema/templates/ledger.schema\n',
      stderr: "\nApply it in a file of the schema, for example:\nAPPLY TEMPLATE Ledger WITH (Name = 'Account');\n",
    });
    const copied = readTree(folder);
    const second = await runToolHere(['add', 'template', 'ledger'], { cwd: folder });
    assert.equal(second, {
      status: 1,
      stdout: '',
      stderr: "schemac: 'schema/templates/ledger.schema' already exists\n",
    });
    assert.equal(readTree(folder), copied);
  }));

test('a project depends on the tool by version if a registry has it, else on the archive that it carries', () =>
  withTempFolder((folder) => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    const archive = `vendor/schemac-${version}.tgz`;
    const carried = { range: `file:${archive}`, archive };
    const own = join(folder, 'node_modules/schemac');
    const installedFrom = (resolved: string): void =>
      writeFiles(folder, {
        'node_modules/.package-lock.json': JSON.stringify({ packages: { 'node_modules/schemac': { resolved } } }),
      });
    assert.equal(ownDependency('/home/me/src/schemac'), carried);
    assert.equal(ownDependency(own), carried);
    installedFrom('file:../schemac-0.1.0.tgz');
    assert.equal(ownDependency(own), carried);
    installedFrom('https://registry.npmjs.org/schemac/-/schemac-0.1.0.tgz');
    assert.equal(ownDependency(own), { range: `^${version}` });
    return Promise.resolve();
  }));

test.run();
