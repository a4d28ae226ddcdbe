import { ask, keepAsking } from './ask.ts';
import type { LongFigure } from './figure.ts';
import { serveLong } from './serving.ts';

/** Commands, reads small and large, and console queries at once. */
export async function eventLoop(seconds: number): Promise<readonly LongFigure[]> {
  const server = await serveLong(50_000, 200);
  const time = seconds * 1000;
  const events = 'Reg."Meter$Events"';
  // The compiler is loaded on first use.
  await (await fetch(`${server.url}/api/aggregates/Meter/state?limit=1`)).arrayBuffer();
  const starting = await server.busy();
  let sent = 0;
  const loads = await Promise.all([
    keepAsking(16, time, (agent) =>
      ask(agent, server, '/api/aggregates/Meter/execute/Read', { meter_id: `L-${sent++ % 1000}`, amount: 1 }),
    ),
    keepAsking(4, time, (agent) => ask(agent, server, '/api/projections/Totals/query')),
    keepAsking(2, time, (agent) => ask(agent, server, '/api/aggregates/Meter/events?limit=20000')),
    keepAsking(2, time, (agent) => ask(agent, server, `/api/aggregates/Meter/state`)),
    keepAsking(1, time, (agent) => ask(agent, server, '/api/query', { sql: `SELECT * FROM ${events} LIMIT 9000` })),
    keepAsking(1, time, (agent) =>
      ask(agent, server, '/api/query', { sql: `SELECT COUNT(*) AS n FROM ${events} a, ${events} b, ${events} c` }),
    ),
  ]);
  const busy = await server.busy();
  await server.stop();
  const beside = `${loads.map((answers) => answers.length).join(', ')} answers; delay by the clock p99 ${busy.delayP99.toFixed(0)} ms`;
  return [
    {
      name: 'main thread under load, p99 of its steps',
      value: busy.p99,
      unit: 'ms of processor',
      at: 'most',
      goal: 50,
      beside,
    },
    { name: 'longest step under load', value: busy.longest, unit: 'ms of processor', at: 'most', goal: 100 },
    {
      name: 'longest step of start and first read',
      value: starting.longest,
      unit: 'ms of processor',
      at: 'most',
      goal: 1000,
    },
  ];
}
