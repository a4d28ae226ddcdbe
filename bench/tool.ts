import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const atExit = `import { writeSync } from 'node:fs'; process.on('exit', () => writeSync(3, JSON.stringify(process.cpuUsage())));`;

export interface Ran {
  readonly wall: number;
  /** ms of processor time, all threads. */
  readonly cpu: number;
}

/** Runs Node to its end with these words; throws when it fails. */
export async function runNode(words: readonly string[]): Promise<Ran> {
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(atExit)}`, ...words], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  let usage = '';
  child.stdio[3]?.on('data', (chunk: Buffer) => (usage += chunk.toString()));
  const status = await new Promise((resolve) => child.once('close', resolve));
  const wall = performance.now() - start;
  if (status !== 0) throw new Error(`node ${words.join(' ')} ended with ${String(status)}`);
  const { user, system } = JSON.parse(usage) as NodeJS.CpuUsage;
  return { wall, cpu: (user + system) / 1000 };
}

export interface Serving {
  readonly child: ChildProcess;
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts a server and waits for the line that says where it listens. Its output goes to a file, as in operation. */
export async function serve(
  words: readonly string[],
  log: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  const output = openSync(log, 'w');
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', output, 'ignore'],
    env: { ...process.env, ...environment },
  });
  closeSync(output);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const failed = new Promise<never>((_, reject) => {
    child.once('exit', (status) => reject(new Error(`${words.join(' ')} ended with ${String(status)}`)));
  });
  failed.catch(() => undefined); // `stop` reports a later end
  const url = await Promise.race([saidUrl(log), failed]);
  return {
    child,
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function saidUrl(log: string): Promise<string> {
  for (;;) {
    const found = /http:\/\/[^\s,]+(?=[\s,])/.exec(readFileSync(log, 'utf8'))?.[0];
    if (found !== undefined) return found;
    await setTimeout(2);
  }
}

export function toolOf(root: string): string {
  return join(root, 'dist/cli/main.js');
}

/** `schemac start` on a free port, with its data in that folder and its log next to it. */
export function startServer(
  root: string,
  generated: string,
  data: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  return serve([toolOf(root), 'start', generated, '--data', data, '--port', '0'], `${data}.log`, environment);
}
