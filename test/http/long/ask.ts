import { Agent, request } from 'node:http';
import type { Served } from './serving.ts';

export interface Answered {
  readonly status: number;
  readonly milliseconds: number;
}

/** Sends a request on a kept-alive connection; the body of the answer is read and dropped. `status` is 0 without an answer. */
export function ask(agent: Agent, { port }: Served, path: string, body?: object): Promise<Answered> {
  let begun = performance.now();
  return new Promise((resolve) => {
    const finish = (status: number): void => resolve({ status, milliseconds: performance.now() - begun });
    const sent = request(
      {
        agent,
        port,
        host: '127.0.0.1',
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      },
      (answer) => {
        answer.once('error', () => finish(0));
        answer.once('end', () => finish(answer.statusCode ?? 0)).resume();
      },
    );
    // When all connections are in use it waits for one, which does not count as the server's time.
    sent.once('socket', () => (begun = performance.now()));
    sent.once('error', () => finish(0));
    // After an answer it is finished already.
    sent.once('close', () => finish(0));
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Sends requests repeatedly on this many connections for this long; gives the answers. */
export async function keepAsking(
  connections: number,
  milliseconds: number,
  one: (agent: Agent) => Promise<Answered>,
): Promise<readonly Answered[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answers: Answered[] = [];
  const end = performance.now() + milliseconds;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) answers.push(await one(agent));
    }),
  );
  agent.destroy();
  return answers;
}

/** The quantile: `share` of the numbers are below it. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
