/**
 * `npm run test:servers -- [histories] [seed]`: long histories of several servers on a log in memory, each checked; says what was run.
 * `npm run test:servers -- processes [trouble] [seconds] [many]`: three processes on a real PostgreSQL and 64 clients over HTTP, for so long (300), until
 * so often they were killed, the database crashed, … (`troubles.ts` has the names and numbers; `all` is each of them). Needs `npm run build`.
 * `npm run test:servers -- delivered [place] [trouble] [servers] [effects] [seconds]`: everything that servers deliver, compared with the log (`test/delivered/long.ts`).
 */
import { deliveredRuns } from '../delivered/long.ts';
import { startDatabase } from '../kit/database.ts';
import { runHistory, type HistoryOptions } from './history.ts';
import { hasOwnNetwork, runInOwnNetwork } from './lost-packets.ts';
import { runProcesses } from './processes.ts';
import { calm } from './shaky-journal.ts';
import { troubleMaking, troubles, type TroubleKind } from './troubles.ts';

const words = process.argv.slice(2);
const [first, ...rest] = words;
const failed =
  first === 'processes' ? processes(rest) : first === 'delivered' ? deliveredRuns(rest) : histories(first, rest[0]);
process.exitCode = (await failed) === 0 ? 0 : 1;

async function processes([named = 'none', seconds = '300', many]: readonly string[]): Promise<number> {
  const wanted = named === 'all' ? troubles : troubles.filter((each) => each === named);
  if (wanted.length === 0) throw new Error(`there is no trouble '${named}'; there are all, ${troubles.join(', ')}`);
  // Dropped packets need a network of their own, and in it the rest works too.
  const status = hasOwnNetwork() || !wanted.includes('drop') ? undefined : runInOwnNetwork();
  if (status !== undefined) return status;
  let failed = 0;
  for (const trouble of wanted)
    failed += await troubled(trouble, Number(seconds), many === undefined ? undefined : Number(many));
  return failed;
}

async function troubled(trouble: TroubleKind, seconds: number, many = troubleMaking[trouble].many): Promise<number> {
  const database = await startDatabase(hasOwnNetwork() ? { listen_addresses: '*' } : {});
  if ('missing' in database) throw new Error(database.missing);
  try {
    const options = { seed: Date.now() % 1_000_000, servers: 3, clients: 64, seconds, trouble, many };
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
