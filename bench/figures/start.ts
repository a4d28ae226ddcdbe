/** The first impressions: help, a script of ten lines, a server's first answer. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { largeSchema } from '../large-schema.ts';
import { median, type Figure } from '../measure.ts';
import { report } from '../report.ts';
import { runNode, serve, startServer, toolOf } from '../tool.ts';

const script = `${largeSchema(1)}
EXECUTE OpenItem0(id := 'a', owner := 'me', opened := NULL);
SELECT * FROM Reg."Item0Stock";
`;

await report(async ({ root, folder, rounds }) => {
  const file = join(folder, 'ten.schema');
  writeFileSync(file, script);
  const generated = join(folder, 'generated');
  writeFileSync(join(folder, 'small.schema'), largeSchema(1));
  await runNode([toolOf(root), 'build', join(folder, 'small.schema'), '-o', generated]);
  const tool = toolOf(root);
  const several = async (work: () => Promise<number>): Promise<number> => {
    await work();
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) times.push(await work());
    return median(times);
  };
  const firstAnswer = async (): Promise<number> => {
    const start = performance.now();
    const server = await startServer(root, generated, mkdtempSync(join(folder, 'data-')));
    const answer = await fetch(`${server.url}/api/aggregates/Item0`);
    await answer.arrayBuffer();
    const time = performance.now() - start;
    await server.stop();
    if (!answer.ok) throw new Error(`the first answer was ${answer.status}`);
    return time;
  };
  /** The server answers before its registry, read model and compiler are there, and before it says where it listens. */
  const health = async (): Promise<number> => {
    const port = await freePort();
    const words = ['start', generated, '--data', mkdtempSync(join(folder, 'data-')), '--port', String(port)];
    const start = performance.now();
    const server = serve([tool, ...words], join(folder, 'health.log'));
    const url = `http://127.0.0.1:${port}/health`;
    while (
      !(await fetch(url).then(
        async (answer) => (await answer.text(), answer.ok),
        () => false,
      ))
    )
      await setTimeout(2);
    const time = performance.now() - start;
    await (await server).stop();
    return time;
  };
  const wall = async (...words: string[]): Promise<number> => (await runNode(words)).wall;
  // Node alone is the other side of each: it shows how busy the machine is.
  const node = await several(() => wall('-e', '0'));
  const figure = (name: string, most: number, value: number): Figure => ({
    name,
    unit: 'ms (node alone second)',
    goal: { at: 'most', value: most },
    value,
    sides: [value, node],
  });
  return [
    figure('schemac --help', 150, await several(() => wall(tool, '--help'))),
    figure('schemac run of a small script', 400, await several(() => wall(tool, 'run', file))),
    figure('schemac start to /health', 300, await several(health)),
    figure('schemac start to the first answer with data', 400, await several(firstAnswer)),
  ];
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
