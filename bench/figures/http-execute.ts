/**
 * EXECUTE over HTTP, durable, logged to a file and with its Arrow answer, compared with an empty Koa route on the same machine: by the
 * processor time of each thread, and by requests a second on the cores that server and load share.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { costOf } from '../load.ts';
import { median, type Figure } from '../measure.ts';
import { report } from '../report.ts';
import { runNode, serve, startServer, toolOf, type Serving } from '../tool.ts';

type Cost = Awaited<ReturnType<typeof costOf>>;

await report(async ({ root, folder, quick, rounds }) => {
  const generated = join(folder, 'bike-rental');
  await runNode([toolOf(root), 'build', join(root, 'examples/bike-rental/schema'), '-o', generated]);
  const server = await startServer(root, generated, mkdtempSync(join(folder, 'data-')));
  const peer = await serve([join(root, 'bench/peer/empty-route.js')], join(folder, 'peer.log'));
  const seconds = quick ? 2 : 6;
  const cost = (of: Serving, path: string): Promise<Cost> => {
    const send = { registerBikes: randomUUID() };
    return costOf(root, of, { url: of.url + path, connections: 32, seconds, send });
  };
  const [ours, theirs]: [Cost[], Cost[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    const [own, empty] = [await cost(server, '/api/aggregates/Bike/execute/RegisterBike'), await cost(peer, '/')];
    if (round === 0) continue; // both are warm after it
    ours.push(own);
    theirs.push(empty);
  }
  await server.stop();
  await peer.stop();
  const sides = (of: (cost: Cost) => number): readonly [number, number] => [
    median(ours.map(of)),
    median(theirs.map(of)),
  ];
  const figure = (what: string, unit: string, goal: Figure['goal'], of: (cost: Cost) => number): Figure => {
    const both = sides(of);
    return { name: `EXECUTE over HTTP : empty Koa route, ${what}`, unit, goal, value: both[0] / both[1], sides: both };
  };
  return [
    figure('processor time of all threads', 'ratio (µs)', { at: 'most', value: 2.3 }, ({ each }) => each.all),
    figure('processor time of the main thread', 'ratio (µs)', { at: 'most', value: 1.7 }, ({ each }) => each.main),
    {
      name: 'EXECUTE over HTTP, processor time of the read model’s thread',
      unit: 'µs a command',
      goal: { at: 'most', value: 10 },
      value: sides(({ each }) => each.busiest)[0],
    },
    figure('load included', 'ratio (requests/s)', { at: 'least', value: 0.5 }, ({ loaded }) => loaded.perSecond),
  ];
});
