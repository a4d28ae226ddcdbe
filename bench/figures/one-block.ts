/** The work of a watching process after one block of 1,000 was saved: compile it, write the changes. */
import { join } from 'node:path';
import { createBuildMemory, writeProject } from '../../cli/build-project.ts';
import { blocksOf, largeSchema } from '../large-schema.ts';
import { median, timed } from '../measure.ts';
import { report } from '../report.ts';

await report(async ({ folder, quick, rounds }) => {
  const aggregates = quick ? 10 : 100;
  const blocks = blocksOf(aggregates).toLocaleString('en');
  const text = largeSchema(aggregates);
  const out = join(folder, 'generated');
  const served = { settings: { config: { path: undefined, folder, values: {} } }, environment: {} };
  const memory = await createBuildMemory(out);
  const build = async (source: string): Promise<void> => {
    const sources = [{ name: 'large.schema', text: source }];
    const compiled = { sources, ...memory.session.compile(sources) };
    const { files } = await writeProject(compiled, out, served, memory);
    if (files === undefined) throw new Error('the schema does not compile');
  };
  await build(text);
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const changed = text.replace('AND :amount > 0', `AND :amount > ${round + 1}`);
    times.push(await timed(() => build(changed)));
  }
  return [
    {
      name: `one changed block of ${blocks}`,
      unit: 'ms',
      goal: { at: 'most', value: 150 },
      value: median(times.slice(1)),
    },
  ];
});
