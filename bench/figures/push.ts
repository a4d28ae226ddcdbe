/** The live stream and subscriptions: followers that catch up, and rows that are pulled. `npm run test:http-long -- followers` has the others. */
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, type Figure } from '../measure.ts';
import { report } from '../report.ts';
import { measureThreads } from '../threads.ts';
import { runNode, startServer, toolOf, type Serving } from '../tool.ts';

const execute = '/api/aggregates/Bike/execute/RegisterBike';
const lines = { accept: 'application/x-ndjson' };
const subscription = `CREATE SUBSCRIPTION Registered AS SELECT stream_id AS bike, data.model, data.station FROM Reg."Bike$Events";`;

await report(async ({ root, folder, quick, rounds }) => {
  const events = quick ? 10_000 : 100_000;
  const schema = join(folder, 'schema');
  cpSync(join(root, 'examples/bike-rental/schema'), schema, { recursive: true });
  writeFileSync(join(schema, 'push.schema'), subscription);
  const generated = join(folder, 'generated');
  mkdirSync(generated);
  await runNode([toolOf(root), 'build', schema, '-o', generated]);
  const server = await startServer(root, generated, mkdtempSync(join(folder, 'data-')));
  await register(server, events);
  const figures: Figure[] = [];
  const least = (name: string, bound: number, value: number): void => {
    figures.push({ name, unit: 'rows a second of processor time', goal: { at: 'least', value: bound }, value });
  };

  for (const [what, path] of [
    ['of an aggregate', '/api/aggregates/Bike/events'],
    ['of all aggregates', '/api/events'],
  ] as const) {
    const caughtUp = await perProcessorSecond(server, events, rounds, () =>
      readAll(`${server.url}${path}?follow=true&until=${events}`),
    );
    least(`a follower ${what} catches up, NDJSON`, 300_000, caughtUp);
  }
  const pulled = await perProcessorSecond(server, events, quick ? 1 : 3, () => pullAll(server, events));
  least('rows pulled, 1,000 at a time, and acknowledged', 20_000, pulled);

  await server.stop();
  return figures;
});

/** Rows for each second that all threads of the server spent on them, in the median. */
async function perProcessorSecond(
  { child }: Serving,
  rows: number,
  rounds: number,
  work: () => Promise<void>,
): Promise<number> {
  await work();
  const rates: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const measured = measureThreads(child.pid ?? 0);
    await work();
    rates.push((rows * 1_000_000) / measured().all);
  }
  return median(rates);
}

async function register({ url }: Serving, count: number): Promise<void> {
  const seed = randomUUID();
  for (let from = 0; from < count; from += 10_000) {
    const body = Array.from(
      { length: Math.min(10_000, count - from) },
      (_, at) => `{"bike_id":"${seed}-${from + at}","model":"Gazelle","station":"North"}\n`,
    ).join('');
    const headers = { ...lines, 'content-type': 'application/x-ndjson' };
    const answer = await fetch(url + execute, { method: 'POST', headers, body });
    if ((await answer.text()).includes('"status":"error"')) throw new Error('a command failed');
  }
}

async function readAll(url: string): Promise<void> {
  const answer = await fetch(url, { headers: lines });
  if (!answer.ok || answer.body === null) throw new Error(`${url} answered ${answer.status}`);
  let last = new Uint8Array();
  for await (const chunk of answer.body) last = chunk as Uint8Array<ArrayBuffer>;
  if (!Buffer.from(last).toString().includes('"reason":"until"')) throw new Error(`${url} did not reach its end`);
}

async function pullAll({ url }: Serving, rows: number): Promise<void> {
  const post = async (action: string, body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/subscriptions/Registered/${action}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${action} answered ${answer.status}`);
    return answer.json();
  };
  await post('reset', { position: 0 });
  for (let left = rows; left > 0;) {
    const handed = (await post('next', { max: 1000 })) as { readonly lease: string; readonly rows: readonly unknown[] };
    left -= handed.rows.length;
    await post('ack', { lease: handed.lease });
  }
}
