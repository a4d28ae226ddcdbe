/** R1: `kill -9` under load, again and again on one directory: acknowledged and lost, phantom, duplicated or half-written commands: none. */
import { spawn } from 'node:child_process';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openReadOnlyStore } from '../../runtime/store/embedded/read-only-store.ts';
import { verifyLog } from '../../runtime/store/log/verify.ts';
import { collect } from '../contract/accounts.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { bundled } from './bundled.ts';
import { createChance, parameter, seedOf } from './chance.ts';

const cycles = parameter('SCHEMAC_KILL_CYCLES', 50);
const clients = 16;
const [shortest, longest] = process.env['SCHEMAC_KILL_CYCLES'] === undefined ? [15, 100] : [100, 400];

test(`${cycles} cycles of kill -9 under load`, async () => {
  const chance = createChance(seedOf('kill'));
  const folder = freshFolder();
  const program = bundled('kill-writer', folder);
  const directory = `${folder}/data`;
  const next = Array.from({ length: clients }, () => 0);
  let resent = 0;
  let acknowledged = 0;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const acks = await runAndKill(program, directory, next, shortest + chance.below(longest - shortest));
    for (const [client, count] of acks) {
      next[client] = Math.max(next[client] ?? 0, count + 1);
      acknowledged += 1;
    }
    resent += await checkLog(directory, next, `cycle ${cycle}`);
  }
  const damage = (await collect(verifyLog(directory))).filter(({ finding }) => finding === 'damage');
  assert.equal(damage, []);
  console.log(`kill: ${acknowledged} acknowledged, ${resent} were there without their answer`);
  assert.ok(acknowledged > cycles * 10, `only ${acknowledged} commands were acknowledged`);
});

async function runAndKill(
  program: string,
  directory: string,
  next: readonly number[],
  milliseconds: number,
): Promise<readonly (readonly [client: number, count: number])[]> {
  const child = spawn(process.execPath, [program, directory, JSON.stringify(next)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_PATH: new URL('../../node_modules', import.meta.url).pathname },
  });
  let said = '';
  child.stdout.setEncoding('utf8');
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.stdout.on('data', (text: string) => {
      const first = said === '';
      said += text;
      if (first) setTimeout(() => child.kill('SIGKILL'), milliseconds);
    });
    child.on('close', (code) => (code === null ? resolve() : reject(new Error(`it ended by itself with ${code}`))));
  });
  return said
    .split('\n')
    .slice(1, -1)
    .map((line) => {
      const [client, count] = line.split(' ').map(Number);
      return [client ?? -1, count ?? -1] as const;
    });
}

/** What is in the log against what was acknowledged; how many were kept without having been. */
async function checkLog(directory: string, next: readonly number[], name: string): Promise<number> {
  const store = await openReadOnlyStore({ directory });
  const found = next.map((): number[] => []);
  for await (const entry of store.read(1)) {
    assert.ok(entry.kind === 'command' && entry.commandId !== undefined, name);
    const [client = -1, count = -1] = entry.commandId.split('-').map(Number);
    const amount = `${count}.00`;
    assert.equal(
      entry.events.map((event) => event.data),
      [JSON.stringify({ amount, balance: amount })],
      `${name}: whole`,
    );
    found[client]?.push(count);
  }
  await store.close();
  let unanswered = 0;
  for (const [client, counts] of found.entries()) {
    const acknowledged = next[client] ?? 0;
    // A client sends one command at a time: at most one beyond its last answer can be there.
    const beyond = counts.length - acknowledged;
    assert.ok(
      beyond === 0 || beyond === 1,
      `${name}: client ${client} has ${counts.length}, ${acknowledged} acknowledged`,
    );
    assert.equal(counts, [...counts.keys()], `${name}: client ${client}: each once, in order`);
    unanswered += beyond;
  }
  return unanswered;
}

test.run();
