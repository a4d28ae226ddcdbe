/** Figures on a store of 1,000,000 events: nothing may get slower with history. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { accounts, deposit, depositMany, domainOf, generatedServer, openEngine } from '../accounts.ts';
import { alternate, median, timed, type Figure } from '../measure.ts';
import { report, type Skipped } from '../report.ts';
import { startServer } from '../tool.ts';
import { residentBytes, rowsPerSecond } from '../server-reads.ts';
import { rowByKey } from '../row-by-key.ts';

await report(async ({ root, folder, quick, rounds }) => {
  const [many, few] = [quick ? 100_000 : 1_000_000, 1000];
  const label = many.toLocaleString('en');
  const domain = await domainOf();
  const [big, small] = [mkdtempSync(join(folder, 'big-')), mkdtempSync(join(folder, 'small-'))];
  const figures: (Figure | Skipped)[] = [];
  const most = (name: string, unit: string, bound: number, value: number, sides?: readonly [number, number]): void => {
    figures.push({ name, unit, goal: { at: 'most', value: bound }, value, ...(sides === undefined ? {} : { sides }) });
  };
  const compare = async (name: string, a: () => Promise<number>, b: () => Promise<number>): Promise<void> => {
    const sides = await alternate(rounds, a, b);
    most(name, 'ratio (ms)', 1.2, sides[0] / sides[1], sides);
  };

  const before = residentBytes();
  const long = await openEngine(domain, big);
  await depositMany(long, many, 256, (number) => `A-${number % (many / 10)}`);
  await rowByKey(long, 'A-1');
  globalThis.gc?.();
  most('resident bytes an event', 'bytes', 900, (residentBytes() - before) / many);

  const short = await openEngine(domain, small);
  await depositMany(short, few, 256, (number) => `A-${number % (few / 10)}`);
  const several = async (work: (number: number) => Promise<unknown>): Promise<number> => {
    const times: number[] = [];
    for (let number = 0; number < 100; number++) times.push(await timed(() => work(number)));
    return median(times);
  };
  const at = (size: number): string => `${size.toLocaleString('en')} events stored`;
  await compare(
    `command with ${at(many)} : ${at(few)}`,
    () => several((number) => deposit(long, `B-${number}`, number)),
    () => several((number) => deposit(short, `B-${number}`, number)),
  );
  await compare(
    `row of a foldable projection, ${at(many)} : ${at(few)}`,
    () => several((number) => rowByKey(long, `A-${number}`)),
    () => several((number) => rowByKey(short, `A-${number}`)),
  );
  const total = domain.projections.find(({ name }) => name === 'Total');
  const scan = domain.projections.find(({ name }) => name === 'Tellers');
  if (total === undefined || scan === undefined) throw new Error(`a projection is missing in ${accounts}`);
  const sum = (engine: typeof long): Promise<number> => timed(() => engine.query(total.query, [], {}));
  await compare(
    `foldable total over all events, ${at(many)} : ${at(few)}`,
    () => sum(long),
    () => sum(short),
  );
  await short.close();
  const scanning: number[] = [];
  for (let round = 0; round < rounds; round++) {
    scanning.push(await timed(() => long.query(scan.query, [], {})));
  }
  await long.close();

  figures.push(scanAgainstShell(median(scanning), big, domain.readModel.sqlite.views, rounds));

  const generated = await generatedServer(folder);
  /** From the start of the process to the first answer that needs the read model. */
  const ready = async (): Promise<number> => {
    const start = performance.now();
    const server = await startServer(root, generated, big);
    const answer = await fetch(`${server.url}/api/projections/Total/query`);
    await answer.arrayBuffer();
    const time = performance.now() - start;
    await server.stop();
    if (!answer.ok) throw new Error(`the first answer was ${answer.status}`);
    return time;
  };
  const warm = await ready();
  const withSnapshot = median([warm, await ready(), await ready()]);

  const server = await startServer(root, generated, big);
  const reads: { readonly rate: number; readonly growth: number }[] = [];
  for (let round = 0; round < rounds; round++)
    reads.push(await rowsPerSecond(`${server.url}/api/aggregates/Account/events`, server.child.pid ?? 0, many));
  await server.stop();
  figures.push({
    name: `GET events of ${label} as Arrow`,
    unit: 'rows/s',
    goal: { at: 'least', value: 500_000 },
    value: median(reads.map(({ rate }) => rate)),
  });
  most('growth of memory meanwhile', 'MiB', 64, Math.max(...reads.map(({ growth }) => growth)) / 1024 / 1024);

  for (const file of readdirSync(big)) if (file.startsWith('snapshot-')) rmSync(join(big, file));
  const replay = await ready();
  most(`ready with a snapshot of ${label} : after full replay`, 'ratio (ms)', 0.2, withSnapshot / replay, [
    withSnapshot,
    replay,
  ]);
  most(`ready with a snapshot of ${label}`, 'ms', 2000, withSnapshot);
  return figures;
});

/** Runs this SQL in the `sqlite3` shell, on the newest snapshot of the store. */
function scanAgainstShell(
  ours: number,
  directory: string,
  views: readonly { readonly name: string; readonly sql: string }[],
  rounds: number,
): Figure | Skipped {
  const name = 'scan over all events : sqlite3 shell on the snapshot';
  const snapshot = readdirSync(directory)
    .filter((file) => file.startsWith('snapshot-'))
    .sort()
    .at(-1);
  const view = views.find((each) => each.name === 'p$Tellers');
  if (snapshot === undefined || view === undefined) return { name, skipped: 'the store left no snapshot' };
  try {
    const script = `.timer on\n${`${view.sql};\n`.repeat(rounds + 1)}`;
    const said = execFileSync('sqlite3', [join(directory, snapshot)], { input: script }).toString();
    const times = [...said.matchAll(/real (\d+\.\d+)/g)].map((found) => Number(found[1]) * 1000);
    const theirs = median(times.slice(1));
    return { name, unit: 'ratio (ms)', goal: { at: 'most', value: 3 }, value: ours / theirs, sides: [ours, theirs] };
  } catch (error) {
    return { name, skipped: `no sqlite3 here: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}` };
  }
}
