import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { root, startTool } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { watchOutput } from '../kit/watch-output.ts';

/** Node as the tests run it: from `dist/` when the runner has just built it, else from the sources. */
const node =
  process.env['SCHEMAC_TEST_BUILT'] === '1'
    ? []
    : ['--conditions=schemac-source', '--import', `file://${root}node_modules/tsx/dist/loader.mjs`];

/** Starts a built server without the tool. */
function start(
  folder: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [...node, 'generated/server.js', ...words], {
    cwd: folder,
    env: { ...process.env, ...environment },
  });
}

/** Builds a schema in a folder that finds `schemac` as an installation would. */
function withBuilt(files: Readonly<Record<string, string>>, work: (folder: string) => Promise<void>): Promise<void> {
  return withTempFolder(async (folder) => {
    writeFiles(folder, { 'package.json': '{"type":"module"}', 'schema/box.schema': 'CREATE AGGREGATE Box;', ...files });
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules/schemac'), 'dir');
    assert.is((await runToolHere(['build', 'schema'], { cwd: folder })).status, 0);
    await work(folder);
  });
}

const sha256 = createHash('sha256').update('secret').digest('hex');
const config = {
  data: 'events',
  auth: { tokens: [{ sha256, subject: 'report', roles: ['reader'] }], roles: { reader: ['read:meta_*'] } },
};

test('a generated server reads the configuration of its folder, overridden by variables, overridden by flags', () =>
  withBuilt({ 'schemac.config.json': JSON.stringify(config) }, async (folder) => {
    const output = watchOutput(
      start(folder, ['--read-only', '--port', '0'], { SCHEMAC_PORT: '1', SCHEMAC_HOST: '0.0.0.0' }),
    );
    try {
      const told = await output.until('\n');
      assert.match(told, new RegExp(`^serving on http://0\\.0\\.0\\.0:\\d+, data ${join(folder, 'events')}\n$`));
      const url = `http://127.0.0.1:${/:(\d+),/.exec(told)?.[1] ?? ''}`;
      const status = async (headers: Record<string, string>, path: string): Promise<number> =>
        (await fetch(url + path, { headers })).status;
      assert.is(await status({}, '/health'), 200);
      assert.is(await status({}, '/info'), 401);
      assert.is(await status({ authorization: 'Bearer wrong' }, '/info'), 401);
      assert.is(await status({ authorization: 'Bearer secret' }, '/info'), 200);
      assert.is(await status({ authorization: 'Bearer secret' }, '/api/aggregates/Box/state'), 403);
      const info = await fetch(`${url}/info`, { headers: { authorization: 'Bearer secret' } });
      assert.is(((await info.json()) as { readonly readonly: boolean }).readonly, true);
      assert.is(await output.stop(), 0);
      assert.ok(existsSync(join(folder, 'events')));
    } finally {
      await output.stop('SIGKILL');
    }
  }));

test('a start warns of rights that cover nothing', () =>
  withBuilt(
    { 'schemac.config.json': JSON.stringify({ auth: { ...config.auth, roles: { reader: ['read:Bx$Agg'] } } }) },
    async (folder) => {
      const output = watchOutput(start(folder, ['--port', '0']));
      try {
        assert.match(
          await output.until('covers nothing'),
          `"msg":"the policy: role 'reader': 'read:Bx$Agg' covers nothing`,
        );
      } finally {
        await output.stop();
      }
    },
  ));

test('an uncaught exception is logged and ends the server, with the tool and without', () =>
  withBuilt({}, async (folder) => {
    const thrower = 'process.on("SIGUSR2",()=>{throw new Error("planned")})';
    const environment = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(thrower)}` };
    for (const child of [
      start(folder, ['--port', '0'], environment),
      startTool(['start', '--port', '0', '--data', 'other'], { cwd: folder, environment }),
    ]) {
      const output = watchOutput(child);
      try {
        await output.until('serving on ');
        const ended = new Promise((resolve) => child.once('close', resolve));
        output.signal('SIGUSR2');
        assert.match(
          await output.until('ends the server"}'),
          /{"level":"error".*"message":"planned","stack":"Error: planned/,
        );
        assert.is(await ended, 1);
      } finally {
        await output.stop('SIGKILL');
      }
    }
  }));

const faults: readonly (readonly [
  words: readonly string[],
  variables: Record<string, string>,
  code: number,
  said: string,
])[] = [
  [['--prot', '1'], {}, 2, "Unknown option '--prot'"],
  [['--port', 'x'], {}, 2, "--port takes a port from 0 to 65535, not 'x'"],
  [[], { SCHEMAC_ACCEPT: 'both\u001b[2J' }, 2, "SCHEMAC_ACCEPT takes 'files' or 'log', not 'both\ufffd[2J'"],
  [['--host', '0.0.0.0'], {}, 2, '--insecure'],
  [[], { SCHEMAC_LIMIT_CONSOLE_ROWS: '0' }, 2, "'SCHEMAC_LIMIT_CONSOLE_ROWS' takes a whole number from 1 to 100000"],
  [['--config', 'none.json'], {}, 1, 'there is no configuration file'],
  [['--config', 'broken.json'], {}, 1, 'broken.json:1:2 is not JSON'],
  [['--config', 'wrong.json'], {}, 1, "wrong.json: there is no setting 'auht'"],
];

test('an impossible configuration is refused, and nothing is served', () =>
  withBuilt({ 'broken.json': '{,', 'wrong.json': '{"auht": {}}' }, async (folder) => {
    for (const [words, variables, code, said] of faults) {
      const child = start(folder, ['--data', 'data', ...words], variables);
      let stderr = '';
      let stdout = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      const ended = await new Promise((resolve) => child.once('close', resolve));
      assert.ok(stderr.includes(said), `${words.join(' ')}: ${stderr}`);
      assert.equal([ended, stdout], [code, '']);
    }
    assert.is(existsSync(join(folder, 'data')), false);
  }));

const notWhole =
  "the generated server in 'generated' is not whole, because a build was cut short or files were removed; 'schemac build' makes it again\n";

const broken: readonly (readonly [what: string, breakIt: (generated: string) => void, said: string])[] = [
  ['that a build left half written', (generated) => writeFiles(generated, { 'build.unfinished': '' }), notWhole],
  ['without one of its modules', (generated) => rmSync(join(generated, 'dist/aggregates/Box.js')), notWhole],
  ['with half of a module', (generated) => truncateSync(join(generated, 'dist/aggregates/Box.js'), 200), notWhole],
  ['without its catalog', (generated) => rmSync(join(generated, 'catalog.json')), notWhole],
  ['with half of its catalog', (generated) => truncateSync(join(generated, 'catalog.json'), 200), notWhole],
  [
    'with a module of another build',
    (generated) => writeFiles(generated, { 'dist/aggregates/Box.js': 'export const other = 1;' }),
    notWhole,
  ],
  [
    'without its modules',
    (generated) => rmSync(join(generated, 'dist'), { recursive: true }),
    "there is no generated server in 'generated'; 'schemac build' makes one\n",
  ],
  [
    'of another version',
    (generated) => writeFiles(generated, { 'dist/index.js': 'export const domain = { format: 1 };' }),
    "'generated' was built by another version of schemac; build it again\n",
  ],
];

for (const [what, breakIt, said] of broken)
  test(`server.js in a folder ${what} says what to do`, () =>
    withBuilt({}, async (folder) => {
      breakIt(join(folder, 'generated'));
      const child = start(folder, ['--data', 'data', '--port', '0']);
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      const ended = await new Promise((resolve) => child.once('close', resolve));
      assert.equal([ended, stderr, existsSync(join(folder, 'data'))], [1, said, false]);
    }));

test.run();
