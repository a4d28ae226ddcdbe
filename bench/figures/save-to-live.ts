/** The time from saving a schema file until `schemac dev` uses it: one changed decision of 300 blocks. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { blocksOf, largeSchema } from '../large-schema.ts';
import { median, timed } from '../measure.ts';
import { report } from '../report.ts';

await report(async ({ root, folder, quick, rounds }) => {
  const aggregates = quick ? 3 : 27;
  const text = largeSchema(aggregates);
  const file = join(folder, 'schema', 'large.schema');
  mkdirSync(join(folder, 'schema'));
  writeFileSync(file, text);
  const words = ['dev', 'schema', '--port', '0', '--data', 'data'];
  const child = spawn(process.execPath, [join(root, 'dist/cli/main.js'), ...words], { cwd: folder });
  let said = '';
  child.stderr.resume();
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const until = async (isThere: () => boolean | Promise<boolean>): Promise<void> => {
    for (let tries = 0; !(await isThere()); tries++) {
      if (tries > 12_000) throw new Error(`it never came; dev said: ${said}`);
      await wait(5);
    }
  };
  try {
    await until(() => said.includes(', data '));
    const url = /http:\S+(?=,)/.exec(said)?.[0] ?? '';
    const decision = async (): Promise<string> =>
      (await fetch(`${url}/api/reg/decisions/DoAddItem0`, { headers: { Accept: 'application/json' } })).text();
    await wait(3000); // the work after the start is done
    const times: number[] = [];
    for (let round = 1; round <= rounds + 1; round++) {
      const changed = text.replace('AND :amount > 0', `AND :amount > ${round}`);
      times.push(
        await timed(async () => {
          writeFileSync(file, changed);
          await until(async () => (await decision()).includes(`:amount > ${round}`));
        }),
      );
      await wait(1500); // the generated folder is brought up to date
    }
    return [
      {
        name: `save to live, one decision of ${blocksOf(aggregates)} blocks`,
        unit: 'ms',
        goal: { at: 'most', value: 300 },
        value: median(times.slice(1)),
      },
    ];
  } finally {
    child.kill();
  }
});
