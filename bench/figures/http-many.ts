/** Many commands in one request, durable: processor time of the server a command, and commands a second beside one a request. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { underLoad } from '../load.ts';
import { median } from '../measure.ts';
import { report } from '../report.ts';
import { measureThreads } from '../threads.ts';
import { runNode, startServer, toolOf } from '../tool.ts';

const path = '/api/aggregates/Bike/execute/RegisterBike';

await report(async ({ root, folder, quick, rounds }) => {
  const generated = join(folder, 'bike-rental');
  await runNode([toolOf(root), 'build', join(root, 'examples/bike-rental/schema'), '-o', generated]);
  const server = await startServer(root, generated, mkdtempSync(join(folder, 'data-')));
  const many = quick ? 5_000 : 50_000;
  const [costs, rates, singles]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round <= rounds; round++) {
    const measured = measureThreads(server.child.pid ?? 0);
    const start = performance.now();
    await sendLines(server.url, bikes(many));
    const seconds = (performance.now() - start) / 1000;
    const { all } = measured();
    const send = { registerBikes: randomUUID() };
    const single = await underLoad(root, { url: server.url + path, connections: 32, seconds: quick ? 1 : 4, send });
    if (round === 0) continue; // the server is warm after it
    costs.push(all / many);
    rates.push(many / seconds);
    singles.push(single.perSecond);
  }
  await server.stop();
  const sides = [median(rates), median(singles)] as const;
  return [
    {
      name: 'many commands in one request, processor time of all threads',
      unit: 'µs a command',
      goal: { at: 'most', value: 20 },
      value: median(costs),
    },
    {
      name: 'many commands in one request : one a request, 32 connections',
      unit: 'ratio (commands/s)',
      goal: { at: 'least', value: 5 },
      value: sides[0] / sides[1],
      sides,
    },
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
