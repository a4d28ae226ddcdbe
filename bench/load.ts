import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  /** Part of the ids of this run's commands, so that each is a stream of its own. */
  readonly seed: string;
}

/** Sends `RegisterBike` as fast as it is answered, from its own process; throws when an answer was not a success. */
export async function requestsPerSecond(root: string, load: Load): Promise<number> {
  const child = spawn(process.execPath, [join(root, 'bench/peer/load.js'), JSON.stringify(load)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const status = await new Promise((resolve) => child.once('close', resolve));
  const rate = Number(said);
  if (status !== 0 || !(rate > 0)) throw new Error(`the load on ${load.url} failed: ${said}`);
  return rate;
}
