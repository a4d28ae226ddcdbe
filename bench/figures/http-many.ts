/**
 * Many commands in one request, durable: processor time of the server a command, alone and compared with an empty Koa route, and commands a
 * second compared with one a request. With `SCHEMAC_BENCH_BEFORE`, the folder of an earlier version that is built, also compared with one a
 * request there.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { costOf, underLoad } from '../load.ts';
import { median, type Figure } from '../measure.ts';
import { report } from '../report.ts';
import { measureThreads } from '../threads.ts';
import { runNode, serve, startServer, toolOf, type Serving } from '../tool.ts';

const before = process.env['SCHEMAC_BENCH_BEFORE'];
const path = '/api/aggregates/Bike/execute/RegisterBike';

await report(async ({ root, folder, quick, rounds }) => {
  const startIn = async (checkout: string): Promise<Serving> => {
    const generated = mkdtempSync(join(folder, 'bike-rental-'));
    await runNode([toolOf(checkout), 'build', join(checkout, 'examples/bike-rental/schema'), '-o', generated]);
    return startServer(checkout, generated, mkdtempSync(join(folder, 'data-')));
  };
  const server = await startIn(root);
  const earlier = before === undefined ? undefined : await startIn(before);
  const peer = await serve([join(root, 'bench/peer/empty-route.js')], join(folder, 'peer.log'));
  const many = quick ? 5_000 : 50_000;
  const load = (url: string) => ({
    url,
    connections: 32,
    seconds: quick ? 1 : 4,
    send: { registerBikes: randomUUID() },
  });
  const inOneRequest = async (): Promise<{ readonly cost: number; readonly perSecond: number }> => {
    const measured = measureThreads(server.child.pid ?? 0);
    const start = performance.now();
    await sendLines(server.url, bikes(many));
    return { perSecond: many / ((performance.now() - start) / 1000), cost: measured().all / many };
  };
  const oneARequest = async ({ url }: Serving): Promise<number> => (await underLoad(root, load(url + path))).perSecond;
  const [costs, rates, empty]: [number[], number[], number[]] = [[], [], []];
  const [singles, earlierSingles]: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    const together = await inOneRequest();
    const route = await costOf(root, peer, load(peer.url));
    const single = await oneARequest(server);
    const earlierSingle = earlier === undefined ? undefined : await oneARequest(earlier);
    if (round === 0) continue; // the servers are warm after it
    costs.push(together.cost);
    rates.push(together.perSecond);
    empty.push(route.each.all);
    singles.push(single);
    if (earlierSingle !== undefined) earlierSingles.push(earlierSingle);
  }
  for (const each of [server, peer, ...(earlier === undefined ? [] : [earlier])]) await each.stop();
  const name = 'many commands in one request';
  const beside = (whose: string, others: readonly number[]): Figure => {
    const sides = [median(rates), median(others)] as const;
    const against = `one a request${whose}, 32 connections`;
    const goal = { at: 'least', value: 5 } as const;
    return { name: `${name} : ${against}`, unit: 'ratio (commands/s)', goal, value: sides[0] / sides[1], sides };
  };
  const sides = [median(costs), median(empty)] as const;
  return [
    {
      name: `${name}, processor time of all threads`,
      unit: 'µs a command',
      goal: { at: 'most', value: 20 },
      value: sides[0],
    },
    {
      name: `${name}, a command : empty Koa route, processor time of all threads`,
      unit: 'ratio (µs)',
      goal: { at: 'most', value: 0.77 },
      value: sides[0] / sides[1],
      sides,
    },
    beside('', singles),
    ...(before === undefined ? [] : [beside(` with the version in ${before}`, earlierSingles)]),
  ];
});

function bikes(count: number): string {
  const seed = randomUUID();
  const lines = Array.from(
    { length: count },
    (_, number) => `{"bike_id":"${seed}-${number}","model":"Gazelle","station":"North"}\n`,
  );
  return lines.join('');
}

/** Throws when a line was not a success. */
function sendLines(url: string, body: string): Promise<void> {
  const headers = { 'content-type': 'application/x-ndjson', accept: 'application/x-ndjson' };
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method: 'POST', headers }, (answer) => {
      let failed = 0;
      answer.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('"status":"error"') || text.includes('"status":"rejected"')) failed += 1;
      });
      answer.on('error', reject);
      answer.on('end', () => {
        if (failed > 0 || answer.statusCode !== 200) reject(new Error(`${failed} pieces of the answer held failures`));
        else resolve();
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
