import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { writeProject } from '../../cli/build-project.ts';
import { compileFiles } from '../../compiler/index.ts';
import { readTree } from '../kit/cases.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { runTool, startTool } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { watchOutput } from '../kit/watch-output.ts';

const schema = {
  'schema/b.schema': 'CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);\n',
  'schema/a/tank.schema':
    'CREATE AGGREGATE Tank;\nCREATE COMMAND Fill (tank_id STRING, litres INT);\nCREATE EVENT Filled (litres INT);\n',
  'schema/.hidden/x.schema': 'nonsense',
  'schema/notes.txt': 'nonsense',
};

test('check: all files of one call are one compilation', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, schema);
    const result = await runTool(['check', 'schema'], { cwd: folder });
    assert.equal(result, { status: 0, stdout: 'checked 2 files, 4 blocks\n', stderr: '' });
    const json = await runToolHere(['check', 'schema', 'schema/b.schema', '--json'], { cwd: folder });
    assert.equal(JSON.parse(json.stdout), {
      ok: true,
      files: ['schema/a/tank.schema', 'schema/b.schema'],
      diagnostics: [],
      warnings: [],
    });
  }));

test('check: parts of the policy without effect are warned of, and a policy that no server takes is refused', () =>
  withTempFolder(async (folder) => {
    const config = (roles: object): string => JSON.stringify({ schema: ['schema'], auth: { tokens: [], roles } });
    writeFiles(folder, { ...schema, 'schemac.config.json': config({ clerk: ['execute:Tank.Fil', 'read:Tank*'] }) });
    const path = join(folder, 'schemac.config.json');
    const found = [
      `${path}: role 'clerk': 'execute:Tank.Fil' covers nothing; did you mean 'execute:Tank.Fill'?`,
      `${path}: role 'clerk' belongs to no token`,
    ];
    const { status, stderr } = await runToolHere(['check'], { cwd: folder });
    assert.equal([status, stderr], [0, found.map((line) => `warning: ${line}\n`).join('')]);
    const json = await runToolHere(['check', '--json'], { cwd: folder });
    assert.equal((JSON.parse(json.stdout) as { warnings: unknown }).warnings, found);
    writeFiles(folder, { 'schemac.config.json': config({ clerk: ['run:Tank'] }) });
    const refused = await runToolHere(['check'], { cwd: folder });
    assert.equal(
      [refused.status, refused.stderr],
      [1, `schemac: ${path}: role 'clerk' has an unknown right 'run:Tank'\n`],
    );
  }));

test('check: blocks are checked together, and each finding points at its block, through templates too', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, {
      ...schema,
      'schema/c.schema':
        "CREATE TEMPLATE T (N STRING) AS (CREATE COMMAND X{{N}} (id STRING););\nAPPLY TEMPLATE T WITH (N = 'q');\nCREATE EVENT Lost ();\n",
    });
    const { status, stdout, stderr } = await runToolHere(['check', 'schema'], { cwd: folder });
    assert.equal([status, stdout], [0, 'checked 3 files, 7 blocks\n']);
    assert.fixture(
      stderr,
      `schema/c.schema:1:49 warning[E1001]: no decision decides command 'Xq'
 1 | CREATE TEMPLATE T (N STRING) AS (CREATE COMMAND X{{N}} (id STRING););
   |                                                 ^^^^^^
 2 | APPLY TEMPLATE T WITH (N = 'q');
   | ------------------------------- applied here
schema/c.schema:3:14 warning[E1002]: no decision emits event 'Lost'
 3 | CREATE EVENT Lost ();
   |              ^^^^
2 warnings
`,
    );
  }));

test('check: every error is shown in its frame, with a count', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { ...schema, 'schema/b.schema': schema['schema/b.schema'].replace('FOR Tank', 'FOR Tonk') });
    const result = await runToolHere(['check', 'schema'], { cwd: folder });
    assert.equal([result.status, result.stdout], [1, '']);
    assert.fixture(
      result.stderr.replace(/"Fi.*$/m, ''),
      `schema/b.schema:1:26 error[E0201]: there is no aggregate 'Tonk'; did you mean 'Tank'?
 1 | CREATE DECISION Pour FOR Tonk ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);
   |                          ^^^^
1 error
`,
    );
    const json = JSON.parse((await runToolHere(['check', 'schema', '--json'], { cwd: folder })).stdout) as {
      ok: boolean;
      diagnostics: { code: string; line: number; column: number; file: string }[];
    };
    assert.is(json.ok, false);
    assert.equal(
      json.diagnostics.map(({ code, file, line, column }) => [code, file, line, column]),
      [['E0201', 'schema/b.schema', 1, 26]],
    );
  }));

test('check: the configuration names the schema', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { ...schema, 'schemac.config.json': '{"schema": ["schema"]}' });
    assert.is((await runToolHere(['check'], { cwd: folder })).stdout, 'checked 2 files, 4 blocks\n');
  }));

test('build: writes changed files only, and removes files that are no longer generated', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, schema);
    const first = await runToolHere(['build', 'schema', '-o', 'out'], { cwd: folder });
    assert.is(first.stderr, '');
    const [, written] = /^built 2 files, 4 blocks to out: (\d+) written, 0 unchanged\n$/.exec(first.stdout) ?? [];
    assert.ok(Number(written) > 4, first.stdout);
    const before = readTree(join(folder, 'out'));
    const stamp = statSync(join(folder, 'out/dist/index.js')).mtimeMs;
    const second = await runToolHere(['build', 'schema', '-o', 'out'], { cwd: folder });
    assert.is(second.stdout, `built 2 files, 4 blocks to out: 0 written, ${written} unchanged\n`);
    assert.is(statSync(join(folder, 'out/dist/index.js')).mtimeMs, stamp);
    assert.equal(readTree(join(folder, 'out')), before);
    writeFiles(folder, { 'schema/b.schema': '' });
    assert.match((await runToolHere(['build', 'schema', '-o', 'out'], { cwd: folder })).stdout, /removed\n$/);
  }));

test('build and dev write the same files, though dev knows how often an event has changed', () =>
  withTempFolder(async (folder) => {
    const sources = [{ name: 'a.schema', text: 'CREATE EVENT Filled (litres INT); CREATE EVENT Emptied ();' }];
    const compiled = { sources, ...compileFiles(sources) };
    const { catalog } = compiled;
    const event = catalog.blocks.event.map((block) => (block.name === 'Filled' ? { ...block, version: 4 } : block));
    const served = { settings: { config: { path: undefined, folder, values: {} } }, environment: {} };
    const inDev = { ...compiled, catalog: { ...catalog, blocks: { ...catalog.blocks, event } } };
    await writeProject(compiled, join(folder, 'build'), served);
    await writeProject(inDev, join(folder, 'dev'), served);
    assert.equal(readTree(join(folder, 'dev')), readTree(join(folder, 'build')));
  }));

test('build: a folder that cannot be made is refused in one sentence', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'a.schema': 'CREATE AGGREGATE A;' });
    const built = async (out: string) => {
      const { status, stderr } = await runToolHere(['build', 'a.schema', '-o', out], { cwd: folder });
      return [status, stderr.replaceAll(folder, '')];
    };
    assert.equal(await built('a.schema'), [1, "schemac: 'a.schema' is a file; name a folder to write to\n"]);
    assert.equal(await built('a.schema/x/y'), [1, "schemac: '/a.schema' is a file; name a folder to write to\n"]);
    if (!existsSync('/proc/self')) return;
    const [status, said] = await built('/proc/x/y');
    assert.equal(
      [status, /^schemac: the folder \/proc\/x cannot be made: ENOENT.*\n$/.test(String(said))],
      [3, true],
      String(said),
    );
  }));

// Node's own recursive mkdir never returns below /proc.
for (const words of [
  ['run', 'a.sql', '--schema', 'a.schema', '--data', '/proc/x/y'],
  ['init', '/proc/x/y'],
  ['log', 'import', 'export.jsonl', '--data', '/proc/x/y'],
  ['add', 'template', 'ledger', '--to', '/proc/x/y'],
])
  test(`${words[0]}: a folder that cannot be made is named`, () =>
    withTempFolder(async (folder) => {
      if (!existsSync('/proc/self')) return;
      writeFiles(folder, { 'a.schema': 'CREATE AGGREGATE A;', 'a.sql': 'SHOW AGGREGATES;', 'export.jsonl': '' });
      const { status, stderr } = await runToolHere(words, { cwd: folder });
      assert.equal([status, /^schemac: .*ENOENT: .*mkdir '\/proc\/x'\n$/.test(stderr)], [3, true], stderr);
    }));

test('build: with an error nothing is written', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'a.schema': 'CREATE AGREGATE A;' });
    const result = await runToolHere(['build', 'a.schema', '--json'], { cwd: folder });
    const { ok, diagnostics } = JSON.parse(result.stdout) as { ok: boolean; diagnostics: unknown[] };
    assert.equal([result.status, ok, diagnostics.length], [1, false, 1]);
    assert.equal(Object.keys(readTree(folder)), ['a.schema']);
  }));

test('build --watch builds again after a change, and continues after a broken file', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, schema);
    const child = startTool(['build', 'schema', '--watch'], { cwd: folder });
    const output = watchOutput(child);
    await output.until('watching for changes');
    writeFileSync(join(folder, 'schema/b.schema'), 'CREATE AGREGATE A;');
    await output.until('error[');
    await output.until('watching for changes');
    writeFileSync(join(folder, 'schema/b.schema'), 'CREATE AGGREGATE Other;');
    await output.until('built 2 files, 4 blocks');
    assert.is(await output.stop(), 0);
  }));

test('fmt: formats in place and keeps comments; --check only reports', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'a.schema': 'create   aggregate A ; -- why\n' });
    const check = await runToolHere(['fmt', '--check', 'a.schema'], { cwd: folder });
    assert.equal([check.status, check.stdout], [1, 'a.schema\n']);
    assert.is((await runToolHere(['fmt', 'a.schema'], { cwd: folder })).stdout, 'formatted 1 of 1 file(s)\n');
    const text = readFileSync(join(folder, 'a.schema'), 'utf8');
    assert.match(text, /^CREATE AGGREGATE A; *-- why\n$/);
    assert.is((await runToolHere(['fmt', 'a.schema'], { cwd: folder })).stdout, 'formatted 0 of 1 file(s)\n');
    assert.equal(await runToolHere(['fmt', '--check', 'a.schema'], { cwd: folder }), {
      status: 0,
      stdout: '',
      stderr: '',
    });
    const piped = await runTool(['fmt', '-'], { cwd: folder, input: 'create   aggregate A ; -- why\n' });
    assert.is(piped.stdout, text);
  }));

test('fmt: a file that does not parse is reported and left unchanged', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'a.schema': 'create agregate A;\n', 'b.schema': 'create aggregate B;' });
    const result = await runToolHere(['fmt', 'a.schema', 'b.schema'], { cwd: folder });
    assert.is(result.status, 1);
    assert.match(result.stderr, /^a\.schema:1:8 error\[/);
    assert.is(readFileSync(join(folder, 'a.schema'), 'utf8'), 'create agregate A;\n');
    assert.is(readFileSync(join(folder, 'b.schema'), 'utf8'), 'CREATE AGGREGATE B;\n');
  }));

test('validate, export and describe of schema files start no thread', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, schema);
    const threads = async (words: readonly string[]): Promise<number> => {
      const { status, stderr } = await runTool(words, { cwd: folder, environment: { NODE_DEBUG: 'worker' } });
      assert.is(status, 0, stderr);
      return stderr.match(/\[0\] created Worker/g)?.length ?? 0;
    };
    writeFiles(folder, { 'ask.schema': 'SELECT 1;' });
    // Run from the sources, the tool has the thread of a loader.
    const own = await threads(['check', 'schema']);
    assert.equal(
      await Promise.all([
        threads(['validate', 'schema']),
        threads(['export', 'schema']),
        threads(['describe', 'DECISION', 'Pour', '--schema', 'schema']),
        threads(['run', 'ask.schema']),
      ]),
      [own, own, own, own + 1],
    );
  }));

test.run();
