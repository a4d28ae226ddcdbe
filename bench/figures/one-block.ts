/** What a watching process does after one block of 1,000 was saved: compile it, write what changed. */
import { join } from 'node:path';
import { createCompileSession, createFileHost, emitProject, exportRegistry, writeFiles } from '../../compiler/index.ts';
import { blocksOf, largeSchema } from '../large-schema.ts';
import { median, timed } from '../measure.ts';
import { report } from '../report.ts';

await report(async ({ folder, quick, rounds }) => {
  const aggregates = quick ? 10 : 100;
  const blocks = blocksOf(aggregates).toLocaleString('en');
  const text = largeSchema(aggregates);
  const host = createFileHost(join(folder, 'generated'));
  const session = createCompileSession();
  const build = async (source: string): Promise<void> => {
    const { catalog, diagnostics } = session.compile([{ name: 'large.schema', text: source }]);
    if (diagnostics.some(({ severity }) => severity === 'error')) throw new Error('the schema does not compile');
    writeFiles(host, await emitProject(catalog, { version: '0.0.0', exportText: exportRegistry(catalog) }));
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
