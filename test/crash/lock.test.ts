/** R9: processes that start on one directory at the same time: one owner, also after the previous owner was killed. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { Failure } from '../../language/failure/failure.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { bundled } from './bundled.ts';
import { parameter } from './chance.ts';

const contenders = parameter('SCHEMAC_LOCK_CONTENDERS', 12);

test(`of ${contenders} processes at once one owns the directory; after it is killed, again one does`, async () => {
  const folder = freshFolder();
  const program = bundled('lock-contender');
  const directory = `${folder}/data`;
  for (let round = 0; round < 2; round += 1) {
    const children = await Promise.all(Array.from({ length: contenders }, () => ready(program, directory)));
    for (const { child } of children) child.stdin.write('go\n');
    const answers = await Promise.all(children.map(({ answer }) => answer()));
    const winners = children.filter((_, index) => answers[index] === 'won');
    assert.is(winners.length, 1, `round ${round}: ${answers.join(' | ')}`);
    for (const answer of answers) {
      if (answer !== 'won')
        assert.match(answer, /is in use by (process \d+, started |several processes|another process)/);
    }
    for (const { child } of winners) child.kill('SIGKILL');
    for (const { child } of children) child.stdin.end();
    await Promise.all(children.map(({ ended }) => ended));
  }
  const left = readdirSync(directory).filter((name) => name.startsWith('lock.'));
  assert.ok(left.length <= 1, `dead locks are taken away: ${left.join(', ')}`);
});

test('a second process is refused with the owner of the directory, and can open it after that one has closed', async () => {
  const directory = freshFolder();
  const first = await openEmbeddedStore({ directory });
  let told: unknown;
  try {
    await openEmbeddedStore({ directory });
  } catch (error) {
    told = error;
  }
  assert.ok(told instanceof Failure && told.code === 'R0404');
  assert.ok(told.message.startsWith(`the data directory ${directory} is in use by process ${process.pid}, started 20`));
  await first.close();
  assert.equal(readdirSync(directory), []);
  await (await openEmbeddedStore({ directory })).close();
});

test('a directory whose path is too long for a socket is locked too', async () => {
  const directory = `${freshFolder()}/${'long-'.repeat(30)}/${'name-'.repeat(20)}`;
  mkdirSync(directory, { recursive: true });
  const first = await openEmbeddedStore({ directory });
  let told: unknown;
  await openEmbeddedStore({ directory }).catch((error: unknown) => {
    told = error;
  });
  assert.ok(told instanceof Failure && told.code === 'R0404');
  await first.close();
  await (await openEmbeddedStore({ directory })).close();
});

interface Contender {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly answer: () => Promise<string>;
  readonly ended: Promise<unknown>;
}

/** A process that has loaded everything and waits for a line. */
async function ready(program: string, directory: string): Promise<Contender> {
  const child = spawn(process.execPath, [program, directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_PATH: new URL('../../node_modules', import.meta.url).pathname },
  });
  child.stdin.on('error', () => undefined);
  child.stdout.setEncoding('utf8');
  const ended = new Promise((resolve) => child.on('close', resolve));
  const said = (): Promise<string> => new Promise((resolve) => child.stdout.once('data', resolve));
  await said();
  const answer = said();
  return { child, answer: () => answer, ended };
}

test.run();
