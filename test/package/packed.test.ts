import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { onceDone } from '../../language/failure/once-done.ts';
import { productVersion } from '../../cli/version.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { root } from '../kit/tool.ts';
import { typeErrors, type CompilerOptions } from '../kit/type-errors.ts';
import { watchOutput } from '../kit/watch-output.ts';

const run = promisify(execFile);
const mostBytes = 3 * 1024 * 1024;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** Packs the package as it was built into a folder, once for all tests; nothing is built here. */
const pack = onceDone(async (): Promise<Packed> => {
  const folder = freshFolder();
  const words = ['pack', root, '--json', '--ignore-scripts', '--pack-destination', folder];
  const [packed] = JSON.parse((await run('npm', words, { cwd: folder })).stdout) as readonly Packed[];
  if (packed === undefined) throw new Error('npm packed nothing');
  return { ...packed, filename: join(folder, packed.filename) };
});

/**
 * Installs the packed package in a folder: with npm where `npm run test:package` asks for it, else by unpacking it next to links to the
 * dependencies of this folder, which needs no registry.
 */
async function install(folder: string, { filename }: Packed): Promise<void> {
  writeFiles(folder, { 'package.json': '{"private":true,"type":"module"}' });
  if (process.env['SCHEMAC_TEST_INSTALL'] === 'npm') {
    await run('npm', ['install', '--no-audit', '--no-fund', filename], { cwd: folder });
    return;
  }
  await unpack(folder, filename);
}

/** Unpacks the package's archive, named relative to the folder, next to links to its dependencies. */
async function unpack(folder: string, archive: string): Promise<void> {
  mkdirSync(join(folder, 'node_modules'));
  await run('tar', ['xzf', archive], { cwd: folder });
  renameSync(join(folder, 'package'), join(folder, 'node_modules/schemac'));
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object };
  for (const name of Object.keys(dependencies)) linkPackage(folder, name);
}

function linkPackage(folder: string, name: string): void {
  const place = join(folder, 'node_modules', name);
  mkdirSync(join(place, '..'), { recursive: true });
  if (!existsSync(place)) symlinkSync(join(root, 'node_modules', name), place, 'dir');
}

const schema = `CREATE AGGREGATE Box (box_id STRING KEY, total DECIMAL(9,2) DEFAULT 0 AS SUM(data.amount));
CREATE COMMAND Put (box_id STRING, amount DECIMAL(9,2)); CREATE EVENT Added (amount DECIMAL(9,2));
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (amount := :amount);
`;
const program = `import { compileFiles, type CompileResult } from 'schemac';
import { startServer } from 'schemac/runtime';
import { createClient, type BoxState } from './generated/client.js';

export const compiled: CompileResult = compileFiles([{ name: 'a.schema', text: 'CREATE AGGREGATE A;' }]);
export const start = (module: string): Promise<void> => startServer({ module, arguments: [] });
export async function totals(baseUrl: string): Promise<readonly BoxState[]> {
  const client = createClient({ baseUrl });
  const { outcome } = await client.commands.Put({ box_id: 'b', amount: '0.10' });
  return outcome === 'emitted' ? client.state.Box() : [];
}
`;
const use = `import { createClient } from './generated/client.js';
const client = createClient({ baseUrl: process.argv[2] });
await client.commands.Put({ box_id: 'b', amount: '0.10' });
console.log(JSON.stringify(await client.state.Box()));
`;
/** Ways in which TypeScript finds modules; a user's project has set one of the two. */
const resolutions: readonly CompilerOptions[] = [
  { module: 'node16' },
  { module: 'esnext', moduleResolution: 'bundler' },
];

/** TypeScript's errors in a program and in all that it imports from the package; the declarations of Node are not ours. */
function ownErrors(folder: string, file: string, resolution: CompilerOptions): readonly string[] {
  const options = { ...resolution, target: 'es2022', types: ['node'], strict: true };
  return typeErrors(folder, { files: [file] }, options).filter((error) => !/\/(@types|undici-types)\//.test(error));
}

if (!existsSync(join(root, 'dist/cli/main.js'))) {
  console.log('skipped: npm run build has not been run');
  test.skip('the package contains its files, and works elsewhere', () => undefined);
} else {
  test('the package is small, and contains no sources or tests', async () => {
    const { size, files } = await pack();
    assert.ok(size < mostBytes, `${size} bytes`);
    const tops = [...new Set(files.map(({ path }) => /^(dist\/)?[^/]+/.exec(path)?.[0]))].sort();
    assert.equal(tops, [
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist/chunks',
      'dist/cli',
      'dist/client',
      'dist/compiler',
      'dist/language',
      'dist/runtime',
      'dist/server',
      'dist/templates',
      'docs',
      'package.json',
      'sbom.cdx.json',
      'schemac.config.schema.json',
    ]);
    assert.equal(
      files.filter(({ path }) => /(^|\/)(test|bench)\/|\.test\./.test(path)),
      [],
    );
  });

  test('the part of clients for a front end is one file, with declarations that need no other', async () => {
    const files = (await pack()).files.filter(({ path }) => path.startsWith('dist/client/'));
    const imported = (ending: string): readonly string[] => {
      const texts = files.flatMap(({ path }) =>
        path.endsWith(ending) ? [readFileSync(join(root, path), 'utf8')] : [],
      );
      const from = texts.flatMap((text) => [...text.matchAll(/(?:from |import\()["']([^"']+)["']/g)]);
      return [...new Set(from.map(([, name = '']) => name.replace(/^\.\/[a-z-]+\.ts$/, 'its own')))].sort();
    };
    assert.equal(
      files.map(({ path }) => path).filter((path) => path.endsWith('.js')),
      ['dist/client/index.js'],
    );
    assert.equal([imported('.js'), imported('.d.ts')], [['apache-arrow'], ['apache-arrow', 'its own']]);
  });

  test('the pages that messages and README.md name are in the package', async () => {
    const { files } = await pack();
    const packed = new Set(files.map(({ path }) => path));
    const said = files
      .filter(({ path }) => path === 'README.md' || /^dist\/.*\.(?:js|ts|md|json)$/.test(path))
      .flatMap(({ path }) => readFileSync(join(root, path), 'utf8').match(/\bdocs\/[a-z][\w/-]*\.md\b/g) ?? []);
    const named = [...new Set(said)];
    assert.ok(named.includes('docs/language.md'));
    assert.equal(
      named.filter((page) => !packed.has(page)),
      [],
    );
  });

  test('each export of the package resolves', async () => {
    const tarball = new Uint8Array(readFileSync((await pack()).filename)).buffer;
    const { messages } = await publint({ pack: { tarball }, level: 'suggestion' });
    assert.equal(messages, []);
  });

  test('a new project carries the package, so that it installs, builds and passes its tests anywhere', () =>
    withTempFolder(async (folder) => {
      await run(process.execPath, [join(root, 'dist/cli/main.js'), 'init', 'shop'], { cwd: folder });
      const elsewhere = join(folder, 'elsewhere');
      mkdirSync(elsewhere);
      renameSync(join(folder, 'shop'), join(elsewhere, 'shop'));
      const cwd = join(elsewhere, 'shop');
      if (process.env['SCHEMAC_TEST_INSTALL'] === 'npm') {
        const quiet = ['--no-audit', '--no-fund', '--prefer-offline'];
        const { stdout, stderr } = await run('npm', ['install', ...quiet], { cwd });
        assert.not.match(stdout + stderr, 'allowScripts');
        await run('npm', ['ci', ...quiet], { cwd });
        await run('npm', ['run', 'build'], { cwd });
        assert.match((await run('npm', ['test'], { cwd })).stdout, /\n\d+ passed, 0 failed\n$/);
        return;
      }
      await unpack(cwd, `vendor/schemac-${productVersion()}.tgz`);
      const tool = join(cwd, 'node_modules/schemac/dist/cli/main.js');
      await run(process.execPath, [tool, 'build', 'schema'], { cwd });
      assert.match((await run(process.execPath, [tool, 'test'], { cwd })).stdout, /\n\d+ passed, 0 failed\n$/);
    }));

  test('installed elsewhere it builds, serves and answers a client, and its types are right', () =>
    withTempFolder(async (folder) => {
      await install(folder, await pack());
      writeFiles(folder, { 'schema/box.schema': schema, 'program.ts': program, 'use.js': use });
      const tool = join(folder, 'node_modules/schemac/dist/cli/main.js');
      const { stdout } = await run(process.execPath, [tool, 'build', 'schema'], { cwd: folder });
      assert.match(stdout, /^built 1 file, 4 blocks to generated: /);
      const server = spawn(process.execPath, ['generated/server.js', '--port', '0', '--data', 'data'], { cwd: folder });
      const output = watchOutput(server);
      try {
        const [url = ''] = /http:\/\/[^\s,]+/.exec(await output.until('\n')) ?? [];
        const called = await run(process.execPath, ['use.js', url], { cwd: folder });
        assert.is(called.stdout, '[{"aggregate_id":"b","box_id":"b","total":"0.10"}]\n');
        assert.is(await output.stop(), 0);
      } finally {
        await output.stop('SIGKILL');
      }
      linkPackage(folder, '@types/node');
      linkPackage(folder, 'undici-types');
      for (const resolution of resolutions) assert.equal(ownErrors(folder, 'program.ts', resolution), []);
    }));
}

test.run();
