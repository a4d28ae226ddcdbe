/** The cost of `check` of 1,000 blocks beyond starting Node. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, largeSchema } from '../large-schema.ts';
import { alternate } from '../measure.ts';
import { report } from '../report.ts';
import { runNode, toolOf } from '../tool.ts';

await report(async ({ root, folder, quick, rounds }) => {
  const aggregates = quick ? 10 : 100;
  const blocks = blocksOf(aggregates).toLocaleString('en');
  const file = join(folder, 'large.schema');
  writeFileSync(file, largeSchema(aggregates));
  const sides = await alternate(
    rounds,
    async () => (await runNode([toolOf(root), 'check', file])).cpu,
    async () => (await runNode(['-e', '0'])).cpu,
  );
  return [
    {
      name: `check of ${blocks} blocks`,
      unit: 'ms CPU beyond node',
      goal: { at: 'most', value: 600 },
      value: sides[0] - sides[1],
      sides,
    },
  ];
});
