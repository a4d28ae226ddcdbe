/** `npm run test:servers -- [histories] [seed]`: long histories of several servers, each checked; says what was run. */
import { runHistory, type HistoryOptions } from './history.ts';
import { calm } from './shaky-journal.ts';

const [count = '20', first = '1'] = process.argv.slice(2);
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
process.exitCode = failed === 0 ? 0 : 1;
