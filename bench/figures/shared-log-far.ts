/** A server that is 20 ms away from its log in PostgreSQL: commands and reads by the round trips that they take. */
import pg from 'pg';
import { underLoad } from '../load.ts';
import { median } from '../measure.ts';
import { report } from '../report.ts';
import { metricOf, sharedLogs } from '../shared-log.ts';
import { openSlowWay } from '../slow-way.ts';

const away = 20;
const clients = 64;

await report(async ({ root, folder, quick, rounds }) => {
  const logs = await sharedLogs(root, folder);
  const far = new URL(logs.url);
  const way = await openSlowWay(Number(far.port || 5432), away / 2);
  far.port = String(way.port);
  const server = await logs.start('bench_far', { url: far.href });
  const client = new pg.Client({ connectionString: far.href });
  await client.connect();
  /** Duration of a round trip now, in ms: timers of a busy machine make it longer than it should be. */
  const roundTrip = async (): Promise<number> => {
    const times: number[] = [];
    for (let number = 0; number < 20; number++) {
      const start = performance.now();
      await client.query('SELECT 1');
      times.push(performance.now() - start);
    }
    return median(times);
  };
  const read = async (): Promise<number> => {
    const start = performance.now();
    const answer = await fetch(`${server.url}/api/projections/Total/query`, {
      headers: { Accept: 'application/json' },
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`a read was answered with ${answer.status}`);
    return performance.now() - start;
  };
  const reads = async (): Promise<number> => {
    const times: number[] = [];
    for (let number = 0; number < 40; number++) times.push(await read());
    return median(times);
  };

  const [trips, rates, latencies, waits, shares]: [number[], number[], number[], number[], number[]] = [
    [],
    [],
    [],
    [],
    [],
  ];
  const url = `${server.url}/api/aggregates/Account/execute/Deposit`;
  const seconds = quick ? 2 : 6;
  for (let round = 0; round <= (quick ? 2 : rounds); round++) {
    const before = await roundTrip();
    const loaded = await underLoad(root, { url, connections: clients, seconds, send: { deposits: 1_000 } });
    const trip = (before + (await roundTrip())) / 2;
    const alone = await reads();
    const asked = await metricOf(server, 'schemac_log_round_trips_total');
    const read64 = {
      url: `${server.url}/api/projections/Total/query`,
      connections: clients,
      seconds,
      send: 'get',
    } as const;
    const { answers } = await underLoad(root, read64);
    const questions = (await metricOf(server, 'schemac_log_round_trips_total')) - asked;
    if (round === 0) continue; // it is warm after it
    trips.push(trip);
    rates.push((loaded.perSecond * trip) / 1000);
    latencies.push(loaded.p99 / trip);
    waits.push(alone / trip);
    shares.push(questions / answers);
  }
  await client.end();
  await server.stop();
  await way.close();
  const where = `on a log ${median(trips).toFixed(1)} ms away`;
  return [
    {
      name: `commands ${where}, ${clients} clients : one each round trip`,
      unit: 'ratio',
      goal: { at: 'least', value: 20 },
      value: median(rates),
    },
    {
      name: `p99 of commands ${where}, ${clients} clients`,
      unit: 'round trips',
      goal: { at: 'most', value: 5 },
      value: median(latencies),
    },
    {
      name: `latest read ${where}, one client`,
      unit: 'round trips',
      goal: { at: 'most', value: 2 },
      value: median(waits),
    },
    {
      name: `exchanges with the database for each latest read, ${clients} clients`,
      unit: 'round trips a read',
      goal: { at: 'most', value: 1 },
      value: median(shares),
    },
  ];
});
