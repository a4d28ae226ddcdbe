/** Equal work in other event stores: read a stream's state, check a guard, append an event, durable where the store can be. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { depositMany, domainOf, openEngine } from '../accounts.ts';
import { reportCurves, type Series } from '../curve.ts';
import { median } from '../measure.ts';

/** A file of `bench/peer`, the package that it needs there, and how many commands it is given. */
const peers = [
  { name: 'better-sqlite3 by hand, durable', file: 'event-store.js', needs: 'better-sqlite3', commands: 3_000 },
  { name: 'emmett-sqlite', file: 'emmett-sqlite.js', needs: '@event-driven-io/emmett-sqlite', commands: 1_000 },
  { name: 'emmett in memory', file: 'emmett-memory.js', needs: '@event-driven-io/emmett', commands: 20_000 },
] as const;

const namesOf = (some: readonly { readonly name: string }[]): string => some.map(({ name }) => name).join(', ');

await reportCurves(async ({ root, folder, quick }) => {
  const engine = await openEngine(await domainOf(), mkdtempSync(join(folder, 'data-')));
  const rounds = quick ? 1 : 5;
  const many = quick ? 3_000 : 20_000;
  const here = peers.filter(({ needs }) => existsSync(join(root, 'bench/peer/node_modules', needs)));
  const ours: number[] = [];
  const theirs = new Map<string, readonly number[]>();
  for (let round = 0; round <= rounds; round++) {
    const rate = (many * 1000) / (await depositMany(engine, many, 64, (number) => `A-${number % 1000}`));
    if (round > 0) ours.push(rate); // it is warm after the first
    for (const { name, file, commands } of here) {
      const words = [join(root, 'bench/peer', file), folder, String(quick ? 300 : commands)];
      const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
      // A store may fail by itself (emmett-sqlite finds its database locked now and then): that round has no figure.
      if (status === 0 && round > 0) theirs.set(name, [...(theirs.get(name) ?? []), Number(stdout)]);
    }
  }
  await engine.close();
  const series: Series[] = [{ name: 'commands/s', values: [median(ours), ...[...theirs.values()].map(median)] }];
  const missing = peers.filter((peer) => !here.includes(peer));
  const failed = here.filter(({ name }) => (theirs.get(name)?.length ?? 0) < rounds);
  return [
    {
      title: 'Compared with other event stores',
      says: `Read the balance of one of 1,000 streams, check a guard, append an event; medians of ${rounds} rounds in turn. Without
HTTP on any side; schemac and emmett in memory have 64 commands in flight, the others one:
better-sqlite3 has nothing to wait for, and emmett-sqlite finds its database locked with two.${
        missing.length === 0 ? '' : ` Not installed here (\`npm install\` in \`bench/peer\`): ${namesOf(missing)}.`
      }${failed.length === 0 ? '' : ` Failed by themselves in some rounds: ${namesOf(failed)}.`}`,
      x: 'store',
      xs: ['schemac, durable', ...theirs.keys()],
      y: 'commands/s',
      series,
    },
  ];
});
