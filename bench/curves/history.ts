/** Costs of a command and of two reads in processes whose stores hold ever more events. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { depositMany, deposit, domainOf, openEngine } from '../accounts.ts';
import { reportCurves } from '../curve.ts';
import { cpuTimed } from '../measure.ts';
import { rowByKey } from '../row-by-key.ts';

const each = 1_000;

await reportCurves(async ({ folder, quick }) => {
  const domain = await domainOf();
  const total = domain.projections.find(({ name }) => name === 'Total');
  if (total === undefined) throw new Error('the projection Total is missing');
  const engine = await openEngine(domain, mkdtempSync(join(folder, 'data-')));
  const xs = quick ? [1_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000];
  /** Processor time of all threads of this process, in µs for each of the calls. */
  const cost = async (work: (number: number) => Promise<unknown>): Promise<number> => {
    for (let number = 0; number < each; number++) await work(number);
    const took = await cpuTimed(async () => {
      for (let number = 0; number < each; number++) await work(number);
    });
    return (took * 1000) / each;
  };
  const [commands, rows, totals]: [number[], number[], number[]] = [[], [], []];
  let stored = 0;
  for (const events of xs) {
    const more = Math.max(0, events - stored);
    await depositMany(engine, more, 256, (number) => `A-${(stored + number) % Math.max(100, events / 10)}`);
    commands.push(await cost((number) => deposit(engine, `B-${number}`, number)));
    rows.push(await cost((number) => rowByKey(engine, `A-${number % 100}`)));
    totals.push(await cost(() => engine.query(total.query, [], {})));
    stored = events + 2 * each;
  }
  await engine.close();
  return [
    {
      title: 'Cost by number of events stored',
      says: `Processor time of all threads, in one process without HTTP, one call after the other (${each.toLocaleString('en')} of each
after as many that do not count): a durable command, a row of a projection by its key, and a total over all events, which is
kept up to date as a fold.`,
      x: 'events stored',
      xs,
      y: 'µs of processor time each',
      series: [
        { name: 'command', values: commands },
        { name: 'row by key', values: rows },
        { name: 'total over all events', values: totals },
      ],
    },
  ];
});
