/** Commands one at a time on a stream of 100,000 events compared with one of 10: a fold does not read history. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { deposit, depositMany, domainOf, openEngine } from '../accounts.ts';
import { alternate, median, timed } from '../measure.ts';
import { report } from '../report.ts';

await report(async ({ folder, quick, rounds }) => {
  const engine = await openEngine(await domainOf(), mkdtempSync(join(folder, 'data-')));
  const long = quick ? 10_000 : 100_000;
  await depositMany(engine, long, 256, () => 'long');
  let fresh = 0;
  const latency = async (streamOf: () => string): Promise<number> => {
    const times: number[] = [];
    for (let number = 0; number < 200; number++) times.push(await timed(() => deposit(engine, streamOf(), number)));
    return median(times);
  };
  // The short stream stays short: every tenth command begins another.
  const sides = await alternate(
    rounds,
    () => latency(() => 'long'),
    () => latency(() => `short-${Math.floor(fresh++ / 10)}`),
  );
  await engine.close();
  return [
    {
      name: `command on a stream of ${long.toLocaleString('en')} events : of 10`,
      unit: 'ratio (ms)',
      goal: { at: 'most', value: 1.2 },
      value: sides[0] / sides[1],
      sides,
    },
  ];
});
