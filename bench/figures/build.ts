/** The time of a first `build` of 1,000 blocks, to an empty folder. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, largeSchema } from '../large-schema.ts';
import { median } from '../measure.ts';
import { report } from '../report.ts';
import { runNode, toolOf } from '../tool.ts';

await report(async ({ root, folder, quick, rounds }) => {
  const aggregates = quick ? 10 : 100;
  const blocks = blocksOf(aggregates).toLocaleString('en');
  const file = join(folder, 'large.schema');
  writeFileSync(file, largeSchema(aggregates));
  const walls: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const out = mkdtempSync(join(folder, 'out-'));
    walls.push((await runNode([toolOf(root), 'build', file, '-o', out])).wall);
  }
  return [{ name: `build of ${blocks} blocks`, unit: 'ms', goal: { at: 'most', value: 3000 }, value: median(walls) }];
});
