/**
 * GET over HTTP of one row of a projection, by a filter on its key, and of one stream's state, compared with the empty Koa route that
 * commands are compared with: by the processor time of the server's threads. Requests ask for a single row, or for another one each time,
 * of more rows than any cache of the server or the processor has.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { costOf, type Load } from '../load.ts';
import { median, type Figure } from '../measure.ts';
import { report } from '../report.ts';
import { runNode, serve, startServer, toolOf, type Serving } from '../tool.ts';

/** More than a server keeps answers or states of. */
const bikes = 40_000;

interface Asked {
  readonly name: string;
  readonly path: string;
  readonly send: Load['send'];
}

async function register({ url }: Serving, seed: string): Promise<void> {
  const bike = (at: number): string =>
    `${JSON.stringify({ bike_id: `${seed}-${at}`, model: 'Gazelle', station: 'North' })}\n`;
  const answer = await fetch(`${url}/api/aggregates/Bike/execute/RegisterBike`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', accept: 'application/x-ndjson' },
    body: Array.from({ length: bikes }, (_, at) => bike(at)).join(''),
  });
  const failed = (await answer.text()).split('\n').filter((line) => line.includes('"status":"error"'));
  if (answer.status !== 200 || failed.length > 0) throw new Error(`${answer.status}: ${failed[0] ?? ''}`);
}

await report(async ({ root, folder, quick, rounds }) => {
  const generated = join(folder, 'bike-rental');
  await runNode([toolOf(root), 'build', join(root, 'examples/bike-rental/schema'), '-o', generated]);
  const server = await startServer(root, generated, mkdtempSync(join(folder, 'data-')));
  const peer = await serve([join(root, 'bench/peer/empty-route.js')], join(folder, 'peer.log'));
  const seconds = quick ? 2 : 5;
  const under = (of: Serving, path: string, send: Load['send']): Load => ({
    url: of.url + path,
    connections: 32,
    seconds,
    send,
  });
  const seed = randomUUID();
  await register(server, seed);
  const row = { name: 'GET of a projection’s row by its key', path: `/api/projections/Fleet/query?bike=${seed}-` };
  const state = { name: 'GET of one stream’s state', path: `/api/aggregates/Bike/${seed}-` };
  const asked = [row, state].flatMap(({ name, path }): readonly Asked[] => [
    { name, path: `${path}7`, send: 'get' },
    { name: `${name}, another each time`, path, send: { getInTurn: bikes } },
  ]);
  const costs = asked.map((): number[] => []);
  const empty: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const route = await costOf(root, peer, under(peer, '/', { registerBikes: seed }));
    const reads: number[] = [];
    for (const { path, send } of asked) reads.push((await costOf(root, server, under(server, path, send))).each.all);
    if (round === 0) continue; // both are warm after it
    empty.push(route.each.all);
    for (const [at, read] of reads.entries()) costs[at]?.push(read);
  }
  await server.stop();
  await peer.stop();
  return asked.map(({ name }, at): Figure => {
    const sides = [median(costs[at] ?? []), median(empty)] as const;
    return {
      name: `${name} : empty Koa route, processor time of all threads`,
      unit: 'ratio (µs)',
      goal: { at: 'most', value: 2.5 },
      value: sides[0] / sides[1],
      sides,
    };
  });
});
