/** Commands over HTTP, durable, by the number of connections that send them as fast as they are answered. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { reportCurves } from '../curve.ts';
import { underLoad, type Loaded } from '../load.ts';
import { runNode, startServer, toolOf } from '../tool.ts';

await reportCurves(async ({ root, folder, quick }) => {
  const generated = join(folder, 'bike-rental');
  await runNode([toolOf(root), 'build', join(root, 'examples/bike-rental/schema'), '-o', generated]);
  const server = await startServer(root, generated, mkdtempSync(join(folder, 'data-')));
  const under = (connections: number, seconds: number): Promise<Loaded> => {
    const url = `${server.url}/api/aggregates/Bike/execute/RegisterBike`;
    return underLoad(root, { url, connections, seconds, send: { registerBikes: randomUUID() } });
  };
  await under(32, quick ? 1 : 5); // warm
  const xs = [1, 2, 4, 8, 16, 32, 64, 128, 256];
  const found: Loaded[] = [];
  for (const connections of xs) found.push(await under(connections, quick ? 1 : 5));
  await server.stop();
  const says = `\`RegisterBike\` of \`examples/bike-rental\` over HTTP, each on a stream of its own, acknowledged when it is on
disk. The load (autocannon) runs on the same two cores.`;
  return [
    {
      title: 'Commands a second by connections',
      says,
      x: 'connections',
      xs,
      y: 'commands/s',
      series: [{ name: 'durable commands', values: found.map(({ perSecond }) => perSecond) }],
    },
    {
      title: 'Time to an answer by connections',
      says: 'The same run. autocannon counts whole milliseconds.',
      x: 'connections',
      xs,
      y: 'ms',
      series: [
        { name: 'p50', values: found.map(({ p50 }) => p50) },
        { name: 'p99', values: found.map(({ p99 }) => p99) },
      ],
    },
  ];
});
