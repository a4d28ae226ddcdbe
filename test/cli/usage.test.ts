import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { zoneVersion } from '../../language/values/zones/zone-table.ts';
import { declarations } from '../../cli/declarations.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { root, runTool } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

test('the version', async () => {
  const result = await runTool(['--version']);
  assert.equal(result, { status: 0, stdout: `${manifest.version} (time zones ${zoneVersion})\n`, stderr: '' });
});

test('help lists every command, and begins with the purpose of the tool', async () => {
  const { status, stdout, stderr } = await runToolHere(['--help']);
  assert.is(status, 0);
  assert.is(stderr, '');
  assert.match(stdout, 'Compile event-sourced domains');
  const words = [...stdout.matchAll(/^ {2}([a-z]+)[ \n]/gm)].map((match) => match[1]);
  assert.equal(words, [...new Set(declarations.map(({ name }) => name.split(' ')[0]))]);
});

for (const { name, options, examples } of declarations) {
  test(`help of ${name}, with examples`, async () => {
    const { status, stdout } = await runToolHere([...name.split(' '), '--help']);
    assert.is(status, 0);
    assert.match(stdout, `Usage: schemac ${name} `.trim());
    for (const [form] of options) assert.match(stdout, form.replace('...', ''));
    assert.ok(examples.length > 0);
    for (const [line] of examples) assert.match(stdout, `  $ ${line}\n`);
  });
}

for (const group of ['log', 'add']) {
  test(`help of ${group}, with an example of each command`, async () => {
    const { status, stdout } = await runToolHere([group, '--help']);
    const first = declarations.filter(({ name }) => name.startsWith(`${group} `)).map(({ examples }) => examples[0]);
    const lines = first.map((example) => `  $ ${example?.[0]}\n      ${example?.[1]}\n`).join('');
    assert.equal([status, stdout.slice(stdout.indexOf('\nExamples:\n'))], [0, `\nExamples:\n${lines}\n`]);
  });
}

test('init and add template report as JSON', () =>
  withTempFolder(async (folder) => {
    const run = async (...words: readonly string[]): Promise<unknown> => {
      const { status, stdout, stderr } = await runToolHere([...words, '--json'], { cwd: folder });
      return [status, JSON.parse(stdout), stderr];
    };
    writeFiles(folder, { 'p/README.md': 'mine', 'p/package.json': '{"name":"p"}' });
    const [status, said, stderr] = (await run('init', 'p')) as [number, { files: object[]; next: string }, string];
    assert.equal([status, stderr, said.next], [0, '', 'cd p && npm install && npm test && npm run dev']);
    assert.equal(
      said.files.filter((file) =>
        ['p/README.md', 'p/package.json', 'p/schema/task.schema'].includes((file as { path: string }).path),
      ),
      [
        { path: 'p/README.md', change: 'kept' },
        { path: 'p/package.json', change: 'extended' },
        { path: 'p/schema/task.schema', change: 'written' },
      ],
    );
    const apply = readFileSync(join(root, 'templates/stock/entity/apply.schema'), 'utf8');
    assert.equal(await run('add', 'template', 'entity'), [0, { written: 'schema/templates/entity.schema', apply }, '']);
    const [, list] = (await run('add', 'template')) as [number, { templates: { name: string }[] }];
    assert.equal(
      list.templates.map(({ name }) => name),
      ['approval', 'entity', 'ledger', 'payment', 'unique'],
    );
  }));

const usageFaults: [words: string[], stderr: string][] = [
  [['chek'], "error: unknown command 'chek'\n(Did you mean check?)\n(schemac --help shows how)\n"],
  [['check', '--jsn'], "error: unknown option '--jsn'\n(Did you mean --json?)\n(schemac check --help shows how)\n"],
  [['run'], "error: missing required argument 'scripts'\n(schemac run --help shows how)\n"],
  [['log', 'verfy'], "error: unknown command 'verfy'\n(Did you mean verify?)\n(schemac log --help shows how)\n"],
  [
    ['explain', 'E0201', 'E0202'],
    "error: too many arguments for 'explain'. Expected 1 argument but got 2.\n(schemac explain --help shows how)\n",
  ],
  [['completion', 'tcsh'], "schemac: completion takes bash, zsh or fish, not 'tcsh'\n"],
  [['check'], 'schemac: name files or folders of schema text, or set "schema" in schemac.config.json\n'],
  ...[
    ['repl'],
    ['execute', 'Pay', '--from', '-'],
    ['diff', 'log', 'schema'],
    ['rehearse', 'schema'],
    ['log', 'export', '--format', 'csv', '--out', 'archive'],
  ].flatMap((words) =>
    ['nonsense', 'ftp://x'].map((url): [string[], string] => [
      [...words, '--url', url],
      `schemac: --url takes an http or https URL, not '${url}'\n`,
    ]),
  ),
  [['build', '-o'], "error: option '-o, --out <dir>' argument missing\n(schemac build --help shows how)\n"],
];
for (const [words, stderr] of usageFaults) {
  test(`wrong usage: ${words.join(' ')}`, () =>
    withTempFolder(async (folder) =>
      assert.equal(await runToolHere(words, { cwd: folder }), { status: 2, stdout: '', stderr }),
    ));
}

test('without a command, help is wrong usage', async () => {
  const { status, stdout, stderr } = await runTool([]);
  assert.equal([status, stdout], [2, '']);
  assert.match(stderr, 'Usage: schemac');
});

const inputFaults: [words: string[], stderr: string][] = [
  [['check', 'nowhere'], "schemac: there is no file or folder 'nowhere'\n"],
  [['check', 'empty'], "schemac: the folder 'empty' contains no .schema file\n"],
  [['check', 'latin.schema'], 'schemac: latin.schema is not UTF-8 text\n'],
  [['run', 'evil\u001b[2J'], "schemac: there is no file or folder 'evil␛[2J'\n"],
  [['explain', 'nope'], "schemac: there is no code 'nope'; schemac explain lists them\n"],
  [['explain', 'E0200'], "schemac: there is no code 'E0200'; did you mean 'E0201' or 'E0202'?\n"],
  [['init', 'full'], "schemac: the folder 'full' is a project already; it contains schema\n"],
  [['init', 'full/a.txt'], "schemac: 'full/a.txt' is a file; name a folder\n"],
  [
    ['build', 'ok.schema', '-o', 'full'],
    "schemac: the folder 'full' contains files that schemac did not write; name a new or empty one\n",
  ],
  [
    ['check', '--config', 'c.json', 'ok.schema'],
    "schemac: DIR/c.json: there is no setting 'prt'; did you mean 'port'?\n",
  ],
];
for (const [words, stderr] of inputFaults) {
  test(`wrong input: ${JSON.stringify(words)}`, () =>
    withTempFolder(async (folder) => {
      writeFiles(folder, {
        'empty/x.txt': '',
        'full/a.txt': '',
        'full/schema/a.schema': '',
        'ok.schema': 'CREATE AGGREGATE A;',
        'c.json': '{"prt":1}',
      });
      spawnSync('sh', ['-c', "printf '\\344' > latin.schema"], { cwd: folder });
      const result = await runToolHere(words, { cwd: folder });
      assert.equal({ ...result, stderr: result.stderr.replaceAll(folder, 'DIR') }, { status: 1, stdout: '', stderr });
    }));
}

test('explain prints a page, and finds codes in any case', async () => {
  const { status, stdout } = await runToolHere(['explain', 'e0201']);
  assert.is(status, 0);
  assert.match(stdout, /^error\[E0201\]: unknown block\n\n.+\n\nFor example:\n\n {4}CREATE COMMAND/s);
});

test('explain without a code lists all, as JSON too', async () => {
  const { stdout } = await runToolHere(['explain']);
  assert.match(stdout, /^E0201 {2}unknown block$/m);
  assert.match(stdout, /^R0101 {2}missing argument$/m);
  const listed = JSON.parse((await runToolHere(['explain', '--json'])).stdout) as { code: string }[];
  assert.equal(
    listed.map(({ code }) => code),
    [...stdout.matchAll(/^([A-Z]\d{4})/gm)].map((match) => match[1]),
  );
});

for (const shell of ['bash', 'zsh', 'fish']) {
  test(`completion for ${shell}`, async () => {
    const { status, stdout } = await runToolHere(['completion', shell]);
    assert.is(status, 0);
    for (const { name } of declarations) for (const word of name.split(' ')) assert.match(stdout, word);
    const parsed = spawnSync(shell, ['-n'], { input: stdout, encoding: 'utf8' });
    if (parsed.error === undefined) assert.equal([parsed.status, parsed.stderr], [0, '']);
  });
}

test('the bash completion completes', async () => {
  const { stdout } = await runToolHere(['completion', 'bash']);
  const complete = (words: string): string[] => {
    const list = words.split(' ');
    const script = `${stdout}\nCOMP_WORDS=(${list.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${list.length - 1}; compopt() { :; }; _schemac; echo "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.trim().split(' ');
  };
  assert.equal(complete('schemac che'), ['check']);
  assert.equal(complete('schemac log ver'), ['verify']);
  assert.equal(complete('schemac run --keep'), ['--keep-going']);
  assert.equal(complete('schemac log dump --da'), ['--data']);
});

test('a reader that stops early is no error', () => {
  const tool =
    process.env['SCHEMAC_TEST_BUILT'] === '1'
      ? 'dist/cli/main.js'
      : '--conditions=schemac-source --import tsx cli/main.ts';
  const result = spawnSync('bash', ['-c', `set -o pipefail; ${process.execPath} ${tool} explain | head -1`], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.equal([result.status, result.stderr], [0, '']);
});

test.run();
