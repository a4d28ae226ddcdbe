import { Agent } from 'node:http';
import { ask, keepAsking, quantile, type Answered } from './ask.ts';
import type { LongFigure } from './figure.ts';
import { pause, serveLong } from './serving.ts';

const MiB = 1024 * 1024;
const audit = '/api/aggregates/Meter/execute/Audit';

/** Sends ten times the number of commands that can be decided, at fixed times. */
export async function overload(seconds: number): Promise<readonly LongFigure[]> {
  // Each audit scans all events, so that one client can request ten times the server's capacity.
  const server = await serveLong(200_000, 10);
  const one = (agent: Agent): Promise<Answered> => ask(agent, server, audit, { meter_id: 'M-1' });
  await keepAsking(16, 2_000, one);
  const peak = goodput(await keepAsking(16, seconds * 1000, one), seconds);
  const before = server.residentBytes();
  const agent = new Agent({ keepAlive: true, maxSockets: 900 });
  const sent: Promise<Answered>[] = [];
  const begun = performance.now();
  let highest = before;
  while (performance.now() - begun < seconds * 1000) {
    const due = Math.floor(((performance.now() - begun) / 1000) * peak * 10);
    while (sent.length < due) sent.push(one(agent));
    highest = Math.max(highest, server.residentBytes());
    await pause(2);
  }
  const inTime = performance.now() - begun;
  const answers = await Promise.all(sent);
  agent.destroy();
  await server.stop();
  const refused = answers.filter(({ status }) => status === 503).map(({ milliseconds }) => milliseconds);
  const statuses = [...new Set(answers.map(({ status }) => status))].sort();
  const under = goodput(answers, inTime / 1000);
  return [
    {
      name: 'goodput at 10 × capacity : peak',
      value: under / peak,
      unit: 'ratio',
      at: 'least',
      goal: 0.8,
      beside: `${under.toFixed(0)} : ${peak.toFixed(0)} a second; ${answers.length} sent, ${refused.length} refused; statuses ${statuses.join(' ')}`,
    },
    {
      name: '503 answered, p99',
      value: quantile(refused, 0.99),
      unit: 'ms',
      at: 'most',
      goal: 100,
      beside: `median ${quantile(refused, 0.5).toFixed(1)} ms`,
    },
    { name: 'memory at 10 × capacity', value: (highest - before) / MiB, unit: 'MiB more', at: 'most', goal: 256 },
  ];
}

function goodput(answers: readonly Answered[], seconds: number): number {
  return answers.filter(({ status }) => status === 200).length / seconds;
}
