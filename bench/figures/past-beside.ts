/**
 * Commands during heavy questions about the past: the time to an answer of commands that come at a steady rate, durable and over HTTP,
 * while projections AS OF other moments are computed one after the other, compared with the same commands alone.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { depositMany, domainOf, generatedServer, openEngine } from '../accounts.ts';
import { alternate, type Figure } from '../measure.ts';
import { report } from '../report.ts';
import { startServer } from '../tool.ts';

/** ms between two commands. */
const every = 10;

await report(async ({ root, folder, quick, rounds }) => {
  const events = quick ? 100_000 : 1_000_000;
  const streams = events / 10;
  const data = mkdtempSync(join(folder, 'data-'));
  const engine = await openEngine(await domainOf(), data);
  await depositMany(engine, events, 256, (number) => `A-${number % streams}`);
  await engine.close();
  const server = await startServer(root, await generatedServer(folder), data);
  const commands = quick ? 300 : 1_000;

  /** The 99th percentile of the time to an answer, in ms. */
  const p99 = async (): Promise<number> => {
    const taken: Promise<number>[] = [];
    const began = performance.now();
    for (let number = 0; number < commands; number++) {
      await setTimeout(Math.max(0, began + number * every - performance.now()));
      taken.push(deposit(server.url, `A-${number % streams}`));
    }
    const sorted = (await Promise.all(taken)).sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
  };

  // Each question is about another moment: a moment that was asked for before is remembered.
  let position = events / 2;
  let asked = 0;
  const beside = async (): Promise<number> => {
    const control = new AbortController();
    const questions = (async (): Promise<void> => {
      while (!control.signal.aborted) {
        position += 1;
        const answer = await fetch(`${server.url}/api/projections/Tellers/query?as_of=${position}`, {
          headers: { accept: 'application/json' },
        });
        if (!answer.ok)
          throw new Error(`a question about the past was answered ${answer.status}: ${await answer.text()}`);
        await answer.text();
        asked += 1;
      }
    })();
    const measured = await p99();
    control.abort();
    await questions;
    return measured;
  };
  const sides = await alternate(rounds, beside, p99);
  await server.stop();
  const label = events.toLocaleString('en');
  const figures: readonly Figure[] = [
    {
      name: `commands beside a projection AS OF half of ${label} events : alone, p99 (${asked} questions)`,
      unit: 'ratio (ms)',
      goal: { at: 'most', value: 1.5 },
      value: sides[0] / sides[1],
      sides,
    },
  ];
  return figures;
});

async function deposit(url: string, id: string): Promise<number> {
  const began = performance.now();
  const answer = await fetch(`${url}/api/aggregates/Account/execute/Deposit`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ id, amount: 5, teller: 'ada' }),
  });
  await answer.text();
  if (!answer.ok) throw new Error(`a command was answered ${answer.status}`);
  return performance.now() - began;
}
