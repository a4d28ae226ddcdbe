/** `npm run test:queries -- [count] [first seed] [forms …]`: as many random queries as asked for, against PostgreSQL. */
import { compareQueries } from './compare.ts';
import { openEngines } from './engines.ts';
import { formSets, formsOf } from './forms.ts';

const [count = '50000', first = '0', ...named] = process.argv.slice(2);
const engines = await openEngines();
const { answered, refused, failed, excepted, differences } = await compareQueries(engines, {
  first: Number(first),
  count: Number(count),
  most: 20,
  forms: formsOf(named.length === 0 ? Object.keys(formSets) : named),
});
await engines.close();
for (const { seed, query, ours, postgres } of differences) {
  console.log(
    `seed ${seed}\n  ${query}\n  ours       ${JSON.stringify(ours)}\n  PostgreSQL ${JSON.stringify(postgres)}`,
  );
}
for (const [name, times] of excepted) console.log(`${times} differ by exception: ${name}`);
console.log(
  `${answered} answered alike, ${refused} refused by both, ${failed} failed in both, ${differences.length} differ`,
);
process.exitCode = differences.length === 0 ? 0 : 1;
