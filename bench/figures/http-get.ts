/**
 * GET over HTTP of one row of a projection, by a filter on its key, and of one stream's state, compared with the empty Koa route that commands
 * are compared with: by the processor time of the server's threads.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { costOf, underLoad, type Load } from '../load.ts';
import { median, type Figure } from '../measure.ts';
import { report } from '../report.ts';
import { runNode, serve, startServer, toolOf, type Serving } from '../tool.ts';

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
  await underLoad(root, under(server, '/api/aggregates/Bike/execute/RegisterBike', { registerBikes: seed }));
  const asked = [
    { name: 'GET of a projection’s row by its key', path: `/api/projections/Fleet/query?bike=${seed}-7` },
    { name: 'GET of one stream’s state', path: `/api/aggregates/Bike/${seed}-7` },
  ];
  const costs = asked.map((): number[] => []);
  const empty: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const route = await costOf(root, peer, under(peer, '/', { registerBikes: seed }));
    const reads: number[] = [];
    for (const { path } of asked) reads.push((await costOf(root, server, under(server, path, 'get'))).each.all);
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
