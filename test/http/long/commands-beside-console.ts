import { Agent } from 'node:http';
import { ask, keepAsking, quantile } from './ask.ts';
import type { LongFigure } from './figure.ts';
import { serveLong } from './serving.ts';

/**
 * The waiting time of commands while the console is near its limits, compared with that without it; alternating rounds.
 */
export async function commandsBesideConsole(rounds: number, seconds: number): Promise<readonly LongFigure[]> {
  const server = await serveLong(5_000, 50);
  const events = 'Reg."Meter$Events"';
  const sql = `SELECT COUNT(*) AS n FROM ${events} a, ${events} b, ${events} c, ${events} d`;
  let sent = 0;
  const commands = (): Promise<number> =>
    keepAsking(4, seconds * 1000, (agent) =>
      ask(agent, server, '/api/aggregates/Meter/execute/Read', { meter_id: `C-${sent++ % 500}`, amount: 1 }),
    ).then((answers) =>
      quantile(
        answers.map(({ milliseconds }) => milliseconds),
        0.99,
      ),
    );
  const consoleAgent = new Agent({ keepAlive: true });
  await commands();
  const alone: number[] = [];
  const beside: number[] = [];
  const waits: number[] = [];
  let longest = 0;
  for (let round = 0; round < rounds; round++) {
    alone.push(await commands());
    await server.busy();
    let running = true;
    const attackers = [0, 1].map(async () => {
      while (running) waits.push((await ask(consoleAgent, server, '/api/query', { sql })).milliseconds);
    });
    beside.push(await commands());
    running = false;
    longest = Math.max(longest, (await server.busy()).longest);
    await Promise.all(attackers);
  }
  consoleAgent.destroy();
  await server.stop();
  const [idle, busy] = [quantile(alone, 0.5), quantile(beside, 0.5)];
  return [
    {
      name: 'p99 of commands beside the worst console query : alone',
      value: busy / idle,
      unit: 'ratio',
      at: 'most',
      goal: 2,
      beside: `${busy.toFixed(1)} : ${idle.toFixed(1)} ms, ${waits.length} console queries, two at once`,
    },
    {
      name: 'longest step of the main thread meanwhile',
      value: longest,
      unit: 'ms of processor',
      at: 'most',
      goal: 50,
    },
  ];
}
