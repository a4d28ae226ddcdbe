/** The policy of the configuration file, followed by running servers. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { serveHere, type ServedHere } from '../kit/served-here.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { root, startTool } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { watchOutput } from '../kit/watch-output.ts';

/** A configuration whose only token is this one. */
function configOf(token: string, more: object = {}): string {
  const sha256 = createHash('sha256').update(token).digest('hex');
  const tokens = [{ sha256, subject: token, roles: ['reader'] }];
  return JSON.stringify({ auth: { tokens, roles: { reader: ['read:meta_*'] } }, ...more });
}

function withBuilt(config: string, work: (cwd: string) => Promise<void>): Promise<void> {
  return withTempFolder(async (cwd) => {
    writeFiles(cwd, { 'schema/a.schema': 'CREATE AGGREGATE Box;', 'conf/v1/schemac.config.json': config });
    assert.is((await runToolHere(['build', 'schema'], { cwd })).status, 0);
    await work(cwd);
  });
}

async function statusOf(url: string, token: string): Promise<number> {
  const answer = await fetch(`${url}/info`, { headers: { Authorization: `Bearer ${token}` } });
  await answer.text();
  return answer.status;
}

/** Waits until a text was logged that many times. */
async function told(server: Pick<ServedHere, 'said'>, text: string, times = 1): Promise<void> {
  const late = AbortSignal.timeout(20_000);
  while (server.said().split(text).length <= times) {
    if (late.aborted) throw new Error(`never said ${times} times: ${text}; but ${server.said()}`);
    await wait(20);
  }
}

const read = 'was read again, and is in force';

test('a changed file is in force without a restart, also one in its place, and an invalid one changes nothing', () =>
  withBuilt(configOf('one'), async (cwd) => {
    // As Kubernetes mounts it: the file is a link into a folder that is a link.
    symlinkSync('v1', join(cwd, 'conf/..data'));
    symlinkSync('..data/schemac.config.json', join(cwd, 'conf/schemac.config.json'));
    const file = join(cwd, 'conf/v1/schemac.config.json');
    const server = await serveHere(['--config', 'conf/schemac.config.json'], { cwd });
    try {
      const accepted: string[] = [];
      const look = async (): Promise<void> => {
        for (const token of ['one', 'two', 'three', 'four', 'five'])
          if ((await statusOf(server.url, token)) === 200) accepted.push(token);
      };
      await look();
      writeFileSync(file, configOf('two'));
      await told(server, read);
      await look();
      const faults: readonly (readonly [text: string, reason: string])[] = [
        ['{,', 'schemac.config.json:1:2 is not JSON'],
        ['{"auth": {"rolse": {}}}', "'auth.roles' is missing; "],
        [
          '{"auth": {"roles": {}, "anonymous": {"roles": ["visitor"]}}}',
          "anonymous callers have an unknown role 'visitor'",
        ],
        [
          '{"auth": {"roles": {}, "jwt": {"jwks": "none.json", "issuer": "i", "audience": "a", "algorithms": ["ES256"]}}}',
          'the policy in force stays: ENOENT',
        ],
        ['{}', 'the policy in force stays: there is no policy in'],
      ];
      for (const [text, reason] of faults) {
        writeFileSync(file, text);
        await told(server, reason);
      }
      await look();
      writeFileSync(`${file}.new`, configOf('three'));
      renameSync(`${file}.new`, file);
      await told(server, read, 2);
      await look();
      writeFiles(cwd, { 'conf/v2/schemac.config.json': configOf('four', { http: { limits: { followers: 1 } } }) });
      symlinkSync('v2', join(cwd, 'conf/..data_new'));
      renameSync(join(cwd, 'conf/..data_new'), join(cwd, 'conf/..data'));
      await told(server, read, 3);
      await told(server, 'except for the policy, they take effect at the next start');
      await look();
      // Several writes within a moment are read once.
      for (const token of ['one', 'two', 'three', 'four', 'five'])
        writeFileSync(join(cwd, 'conf/v2/schemac.config.json'), configOf(token));
      await told(server, read, 4);
      await look();
      assert.equal(accepted, ['one', 'two', 'two', 'three', 'four', 'five']);
    } finally {
      await server.stop();
    }
    assert.is(server.said().split(read).length - 1, 4);
  }));

test('SIGHUP reads the policy of start, dev and a generated server again', () =>
  withBuilt('{}', async (cwd) => {
    // A generated server imports the schemac of its own folder.
    mkdirSync(join(cwd, 'node_modules'));
    symlinkSync(root, join(cwd, 'node_modules/schemac'), 'dir');
    writeFileSync(join(cwd, 'package.json'), '{"type":"module"}');
    const file = join(cwd, 'schemac.config.json');
    const words = ['--port', '0', '--data', 'data'];
    const node = process.env['SCHEMAC_TEST_BUILT'] === '1' ? [] : ['--conditions=schemac-source'];
    const loader = node.length === 0 ? [] : ['--import', `file://${root}node_modules/tsx/dist/loader.mjs`];
    const starts = {
      start: () => startTool(['start', ...words], { cwd }),
      dev: () => startTool(['dev', 'schema', ...words], { cwd }),
      generated: () => spawn(process.execPath, [...node, ...loader, 'generated/server.js', ...words], { cwd }),
    };
    for (const [name, start] of Object.entries(starts)) {
      writeFileSync(file, configOf('one'));
      const output = watchOutput(start());
      try {
        const [url = ''] = /http:\S+(?=,)/.exec(await output.until(', data ')) ?? [];
        assert.equal([name, await statusOf(url, 'one')], [name, 200]);
        writeFileSync(file, configOf('two'));
        output.signal('SIGHUP');
        output.signal('SIGHUP');
        await output.until(read);
        assert.equal([name, await statusOf(url, 'one'), await statusOf(url, 'two')], [name, 401, 200]);
        // Without a change it is read as well, because the keys may have changed.
        output.signal('SIGHUP');
        await output.until(read);
        assert.equal([name, await output.stop()], [name, 0]);
      } finally {
        await output.stop('SIGKILL');
      }
    }
  }));

test('a policy that comes to a server without one takes effect at its next start', () =>
  withBuilt('{}', async (cwd) => {
    const server = await serveHere([], { cwd });
    try {
      process.kill(process.pid, 'SIGHUP');
      await told(server, 'schemac.config.json has no policy, and this server needs none');
      writeFileSync(join(cwd, 'schemac.config.json'), configOf('one'));
      await told(server, 'takes effect at the next start, because this server began without one');
      assert.is(await statusOf(server.url, 'two'), 200);
    } finally {
      await server.stop();
    }
  }));

test.run();
