/**
 * `npm run test:servers -- [histories] [seed]`: long histories of several servers on a log in memory, each checked; says what was run.
 * `npm run test:servers -- processes [seconds] [trouble]`: three processes on a real PostgreSQL and 64 clients over HTTP, for so long (300), while they are
 * killed, the database crashes, … (`processes.ts` has the names). Needs `npm run build`.
 */
import { startDatabase } from '../kit/database.ts';
import { runProcesses, troubles } from './processes.ts';
import { runHistory, type HistoryOptions } from './history.ts';
import { calm } from './shaky-journal.ts';

const words = process.argv.slice(2);
process.exitCode =
  (await (words[0] === 'processes' ? processes(words[1], words[2]) : histories(words[0], words[1]))) === 0 ? 0 : 1;

async function processes(seconds = '300', named = 'none'): Promise<number> {
  const trouble = troubles.find((each) => each === named);
  if (trouble === undefined) throw new Error(`there is no trouble '${named}'; there are ${troubles.join(', ')}`);
  const database = await startDatabase();
  if ('missing' in database) throw new Error(database.missing);
  try {
    const options = { seed: Date.now() % 1_000_000, servers: 3, clients: 64, seconds: Number(seconds), trouble };
    const { faults, ...run } = await runProcesses(database, options);
    process.stdout.write(`${trouble}: ${faults.length} faults ${JSON.stringify(run, undefined, 1)}\n`);
    for (const fault of faults.slice(0, 20)) process.stdout.write(`  ${fault}\n`);
    return faults.length;
  } finally {
    await database.stop();
  }
}

async function histories(count = '20', first = '1'): Promise<number> {
  const common = { servers: 3, clients: 16, operations: 5_000, kills: 0 } as const;
  const kinds: readonly Omit<HistoryOptions, 'seed'>[] = [
    { ...common, shakes: { ...calm, delay: 2 } },
    { ...common, clients: 3, operations: 1_000, shakes: { ...calm, delay: 3 } },
    { ...common, shakes: { delay: 1, cutAfter: 0.03, cutBefore: 0.03, away: 20 } },
    { ...common, servers: 5, kills: 0.02, shakes: { delay: 1, cutAfter: 0.01, cutBefore: 0.01, away: 10 } },
  ];

  let failed = 0;
  for (let seed = Number(first); seed < Number(first) + Number(count); seed += 1) {
    const { faults, ...run } = await runHistory({ ...(kinds[seed % kinds.length] as HistoryOptions), seed });
    failed += faults.length;
    process.stdout.write(`seed ${seed}: ${faults.length} faults ${JSON.stringify(run)}\n`);
    for (const fault of faults.slice(0, 20)) process.stdout.write(`  ${fault}\n`);
  }
  process.stdout.write(`${count} histories, ${failed} faults\n`);
  return failed;
}
