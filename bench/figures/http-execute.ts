/** EXECUTE over HTTP, durable, logged to a file and with its Arrow answer, compared with an empty Koa route on the same machine. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { alternate } from '../measure.ts';
import { report } from '../report.ts';
import { runNode, serve, startServer, toolOf, type Serving } from '../tool.ts';
import { requestsPerSecond } from '../load.ts';

await report(async ({ root, folder, quick, rounds }) => {
  const generated = join(folder, 'bike-rental');
  await runNode([toolOf(root), 'build', join(root, 'examples/bike-rental/schema'), '-o', generated]);
  const server = await startServer(root, generated, mkdtempSync(join(folder, 'data-')));
  const peer = await serve([join(root, 'bench/peer/empty-route.js')], join(folder, 'peer.log'));
  const seconds = quick ? 2 : 6;
  const load = (to: Serving, path: string): Promise<number> =>
    requestsPerSecond(root, { url: to.url + path, connections: 32, seconds, seed: randomUUID() });
  const sides = await alternate(
    rounds,
    () => load(server, '/api/aggregates/Bike/execute/RegisterBike'),
    () => load(peer, '/'),
  );
  await server.stop();
  await peer.stop();
  return [
    {
      name: 'EXECUTE over HTTP : empty Koa route',
      unit: 'ratio (requests/s)',
      goal: { at: 'least', value: 0.5 },
      value: sides[0] / sides[1],
      sides,
    },
  ];
});
