/** Starts `kill-writer.ts`, kills it under load, and compares its acknowledged commands with the log. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openReadOnlyStore } from '../../runtime/store/embedded/read-only-store.ts';
import { verifyLog } from '../../runtime/store/log/verify.ts';
import { testedEngine } from '../kit/tested-engine.ts';
import { accounts, collect, count } from '../contract/accounts.ts';

export const clients = 16;

/** For each client its next count: all below it are acknowledged. */
export type Counts = readonly number[];

export const nothingSent: Counts = Array.from({ length: clients }, () => 0);

export interface WriterRun {
  /** As bundled by `bundled.ts`. */
  readonly program: string;
  readonly directory: string;
  readonly next: Counts;
  /** The time from its first answers until it is stopped. */
  readonly milliseconds: number;
  readonly fsync?: boolean;
  /** Called while it is stopped, before it is killed. By default it is killed at once. */
  readonly frozen?: () => void;
}

/** The acknowledged commands after the run, including those before it. */
export async function runWriter(run: WriterRun): Promise<Counts> {
  const { program, directory, next, milliseconds, fsync = true } = run;
  const child = spawn(process.execPath, [program, directory, JSON.stringify(next), String(fsync)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_PATH: new URL('../../node_modules', import.meta.url).pathname },
  });
  let said = '';
  child.stdout.setEncoding('utf8');
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (text: string) => {
      said += text;
      if (said.includes('\n', said.indexOf('\n') + 1)) resolve();
    });
    child.on('close', () => resolve());
  });
  await pause(milliseconds);
  if (run.frozen !== undefined && child.pid !== undefined) {
    child.kill('SIGSTOP');
    await standsStill(child.pid);
    run.frozen();
  }
  child.kill('SIGKILL');
  const status = await ended;
  assert.is(status, null, 'the writer ended by itself');
  const acknowledged = [...next];
  // The last line may be cut.
  for (const line of said.split('\n').slice(1, -1)) {
    const [client = -1, at = -1] = line.split(' ').map(Number);
    acknowledged[client] = Math.max(acknowledged[client] ?? 0, at + 1);
  }
  return acknowledged;
}

/**
 * Waits until the thread that acknowledges has stopped. Others may still be inside a system call, as in any power cut.
 */
async function standsStill(process: number): Promise<void> {
  while (!/\) [Tt] /.test(readFileSync(`/proc/${process}/stat`, 'utf8'))) await pause(0);
}

/** Compares the log with the acknowledged commands; gives the number of others in it. Reads only. */
export async function checkLog(directory: string, acknowledged: Counts, name: string): Promise<number> {
  const store = await openReadOnlyStore({ directory });
  const found = acknowledged.map((): number[] => []);
  for await (const entry of store.log.read(1)) {
    assert.ok(entry.kind === 'command' && entry.commandId !== undefined, name);
    const [client = -1, at = -1] = entry.commandId.split('-').map(Number);
    const amount = `${at}.00`;
    assert.equal(
      entry.events.map((event) => event.data),
      [JSON.stringify({ amount, balance: amount })],
      `${name}: whole`,
    );
    found[client]?.push(at);
  }
  await store.close();
  let unanswered = 0;
  for (const [client, counts] of found.entries()) {
    const answered = acknowledged[client] ?? 0;
    // A client sends one command at a time, so at most one beyond its last answer can be there.
    const beyond = counts.length - answered;
    assert.ok(beyond === 0 || beyond === 1, `${name}: client ${client} has ${counts.length}, ${answered} acknowledged`);
    assert.equal(counts, [...counts.keys()], `${name}: client ${client}: each once, in order`);
    unanswered += beyond;
  }
  return unanswered;
}

/** Starts the store as a server does after a kill, including snapshots: it is intact, and accepts writes. */
export async function checkRestart(directory: string, name: string): Promise<void> {
  const store = await openEmbeddedStore({
    directory,
    readModel: 'inline',
    readEngine: testedEngine(),
    ledgerInMemory: 16,
    snapshotEntries: 1_000_000,
  });
  try {
    await store.tables.adopt(accounts);
    const { entry, event } = store.turns.position();
    assert.is(event, entry, name);
    assert.is(await count(store), BigInt(entry), `${name}: the read model is the log's`);
    assert.is(store.turns.refusesWrites(), undefined, name);
  } finally {
    await store.close();
  }
  const damage = (await collect(verifyLog(directory))).filter(({ finding }) => finding === 'damage');
  assert.equal(damage, [], name);
}

export function sum(counts: Counts): number {
  return counts.reduce((all, one) => all + one, 0);
}
