/** EXECUTE in process, durable, 64 in flight, compared with an event store written by hand with better-sqlite3. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { depositMany, domainOf, openEngine } from '../accounts.ts';
import { alternate } from '../measure.ts';
import { report } from '../report.ts';

const name = 'EXECUTE in process, 64 in flight : better-sqlite3';

await report(async ({ root, folder, quick, rounds }) => {
  const engine = await openEngine(await domainOf(), mkdtempSync(join(folder, 'data-')));
  const many = quick ? 3000 : 20_000;
  const ours = async (): Promise<number> =>
    (many * 1000) / (await depositMany(engine, many, 64, (number) => `A-${number % 1000}`));
  if (!existsSync(join(root, 'bench/peer/node_modules/better-sqlite3'))) {
    const [rate] = await alternate(rounds, ours, () => Promise.resolve(0));
    return [{ name, skipped: `${Math.round(rate)}/s here; \`npm install\` in bench/peer for the other side` }];
  }
  const peer = join(root, 'bench/peer/event-store.js');
  const theirs = (): Promise<number> =>
    Promise.resolve(Number(execFileSync(process.execPath, [peer, folder, String(quick ? 500 : 3000)]).toString()));
  const sides = await alternate(rounds, ours, theirs);
  await engine.close();
  return [{ name, unit: 'ratio (commands/s)', goal: { at: 'least', value: 8 }, value: sides[0] / sides[1], sides }];
});
