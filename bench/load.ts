import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Serving } from './tool.ts';
import { measureThreads, type ThreadTimes } from './threads.ts';

export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /**
   * Requests to send: `RegisterBike`, each for a stream of its own whose id begins with the seed; `Deposit` to this number of accounts in
   * turn; GET of that URL; or GET of that URL with a number below `getInTurn` behind it, one after the other.
   */
  readonly send:
    | { readonly registerBikes: string }
    | { readonly deposits: number }
    | 'get'
    | { readonly getInTurn: number };
}

/** The answers of a load. Every one was a success. */
export interface Loaded {
  readonly answers: number;
  readonly perSecond: number;
  /** Percentiles of the time to an answer, in ms. */
  readonly p50: number;
  readonly p99: number;
}

/** Sends requests as fast as they are answered, from its own process; throws when an answer was not a success. */
export async function underLoad(root: string, load: Load): Promise<Loaded> {
  const child = spawn(process.execPath, [join(root, 'bench/peer/load.js'), JSON.stringify(load)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const status = await new Promise((resolve) => child.once('close', resolve));
  if (status !== 0) throw new Error(`the load on ${load.url} failed: ${said}`);
  return JSON.parse(said) as Loaded;
}

/** Runs the load and measures the processor time of the server for each answer, in µs. */
export async function costOf(
  root: string,
  { child }: Serving,
  load: Load,
): Promise<{ readonly loaded: Loaded; readonly each: ThreadTimes }> {
  const measured = measureThreads(child.pid ?? 0);
  const loaded = await underLoad(root, load);
  const { main, busiest, all } = measured();
  const { answers } = loaded;
  return { loaded, each: { main: main / answers, busiest: busiest / answers, all: all / answers } };
}
