/**
 * `npm run test:queries -- [count] [first seed] [forms …]`: random queries in the number that is asked for, against PostgreSQL. Says after
 * each thousand how far it is, and which of them took longest.
 */
import { compareQueries, type Difference } from './compare.ts';
import { openEngines } from './engines.ts';
import { formSets, formsOf } from './forms.ts';

const [count = '50000', first = '0', ...named] = process.argv.slice(2);
const forms = formsOf(named.length === 0 ? Object.keys(formSets) : named);
const end = Number(first) + Number(count);
const most = 20;
const slice = 1_000;

const engines = await openEngines();
const differences: Difference[] = [];
const excepted = new Map<string, number>();
const tally = { answered: 0, refused: 0, failed: 0 };
for (let at = Number(first); at < end && differences.length < most; at += slice) {
  const begun = performance.now();
  const asked = { first: at, count: Math.min(slice, end - at), most: most - differences.length, forms };
  const found = await compareQueries(engines, asked);
  tally.answered += found.answered;
  tally.refused += found.refused;
  tally.failed += found.failed;
  for (const [name, times] of found.excepted) excepted.set(name, (excepted.get(name) ?? 0) + times);
  differences.push(...found.differences);
  for (const { seed, query, ours, postgres } of found.differences) {
    console.log(
      `seed ${seed}\n  ${query}\n  ours       ${JSON.stringify(ours)}\n  PostgreSQL ${JSON.stringify(postgres)}`,
    );
  }
  const { seed, milliseconds } = found.slowest;
  const megabytes = Math.round(process.memoryUsage().rss / 2 ** 20);
  console.error(
    `to ${at + asked.count}: ${((performance.now() - begun) / 1000).toFixed(1)} s, seed ${seed} alone ${(milliseconds / 1000).toFixed(1)} s, ${megabytes} MiB`,
  );
}
await engines.close();
for (const [name, times] of excepted) console.log(`${times} differ by exception: ${name}`);
console.log(
  `${tally.answered} answered alike, ${tally.refused} refused by both, ${tally.failed} failed in both, ${differences.length} differ`,
);
process.exitCode = differences.length === 0 ? 0 : 1;
