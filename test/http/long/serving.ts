import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEmbeddedStore } from '../../../runtime/store/embedded/embedded-store.ts';
import { root, runTool } from '../../kit/tool.ts';
import { freshFolder } from '../../store/fresh-folder.ts';

/** The work of a server's main thread since the last call, in ms. */
export interface Busy {
  /** Longest processor time between two ticks of a timer, which other load on the machine does not affect. */
  readonly longest: number;
  readonly p99: number;
  /** Event loop delay in elapsed time. */
  readonly delayP99: number;
}

export interface Served {
  readonly port: number;
  readonly url: string;
  readonly residentBytes: () => number;
  /** Files and connections that are open. */
  readonly descriptors: () => number;
  readonly busy: () => Promise<Busy>;
  readonly stop: () => Promise<void>;
}

const watch = `
import { readFileSync, writeSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
const cpu = () => Number(readFileSync('/proc/self/task/' + process.pid + '/schedstat', 'utf8').split(' ')[0]) / 1e6;
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let seen = [];
let last = cpu();
setInterval(() => { const now = cpu(); seen.push(now - last); last = now; }, 2).unref();
process.on('SIGUSR2', () => {
  seen.sort((a, b) => a - b);
  const at = (q) => seen[Math.min(seen.length - 1, Math.floor(seen.length * q))] ?? 0;
  writeSync(3, JSON.stringify({ longest: at(1), p99: at(0.99), delayP99: delay.percentile(99) / 1e6 }) + '\\n');
  seen = []; last = cpu(); delay.reset();
});`;

/** A domain, and the content of its store. */
export interface Filling {
  readonly domain: string;
  readonly type: string;
  readonly event: string;
  /** The field with this many characters. */
  readonly field: string;
  readonly streams: number;
}

/** Options for the start of the server. */
export interface Serving {
  readonly words?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** `ulimit -n`. */
  readonly descriptors?: number;
}

export const readings: Filling = {
  domain: 'domain.schema',
  type: 'Meter',
  event: 'MeterRead',
  field: 'note',
  streams: 100,
};

/**
 * The domain of the long runs, or another, built and served by the built tool on a store with a number of events of a
 * given size.
 */
export async function serveLong(
  events: number,
  size: number,
  filling: Filling = readings,
  { words: more = [], environment = {}, descriptors }: Serving = {},
): Promise<Served> {
  const folder = freshFolder();
  const schema = fileURLToPath(new URL(filling.domain, import.meta.url));
  const built = await runTool(['build', schema, '-o', join(folder, 'generated')]);
  if (built.status !== 0) throw new Error(built.stderr);
  if (events > 0) await fill(join(folder, 'data'), events, size, filling);
  const words = [
    'start',
    join(folder, 'generated'),
    '--data',
    join(folder, 'data'),
    '--port',
    '0',
    '--enable-query',
    ...more,
  ];
  const watched = ['--import', `data:text/javascript,${encodeURIComponent(watch)}`];
  const limit = descriptors === undefined ? '' : `ulimit -n ${descriptors}; `;
  const child = spawn(
    '/bin/sh',
    ['-c', `${limit}exec "$@"`, 'sh', process.execPath, ...watched, join(root, 'dist/cli/main.js'), ...words],
    { stdio: ['ignore', 'pipe', 'ignore', 'pipe'], env: { ...process.env, ...environment } },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let reports = '';
  child.stdio[3]?.on('data', (chunk: Buffer) => (reports += chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      const found = /http:\/\/[^\s,]+/.exec((said += chunk.toString()))?.[0];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (status) => reject(new Error(`the server ended with ${String(status)}`)));
  });
  return {
    url,
    port: Number(new URL(url).port),
    residentBytes: () => {
      const status = readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
    },
    descriptors: () => readdirSync(`/proc/${child.pid ?? 0}/fd`).length,
    busy: async () => {
      reports = '';
      child.kill('SIGUSR2');
      while (!reports.includes('\n')) await pause(5);
      return JSON.parse(reports) as Busy;
    },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Writes events directly into the log. */
async function fill(
  directory: string,
  count: number,
  size: number,
  { type, event, field, streams }: Filling,
): Promise<void> {
  const store = await openEmbeddedStore({ directory, fsync: false, log: () => undefined });
  const note = 'n'.repeat(size);
  for (let from = 0; from < count; from += 5_000) {
    await store.turns.exclusively((turn) => {
      const first = turn.nextPosition();
      const events = Array.from({ length: Math.min(5_000, count - from) }, (_, at) => ({
        position: first + at,
        id: randomUUID(),
        type: event,
        version: 1,
        streamType: type,
        streamId: `${type[0]}-${at % streams}`,
        seq: Math.floor((from + at) / streams) + 1,
        data: JSON.stringify({ amount: (from + at) % 1000, [field]: note }),
      }));
      turn.append({ kind: 'command', command: 'Read', streamType: type, streamId: `${type[0]}-0`, events }, 0n);
    });
  }
  await store.close();
}
