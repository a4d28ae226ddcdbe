/**
 * Figures of a read model on disk: nothing may get slower with history, and little slower than in memory. Times are processor time of all
 * threads, since the machine may do other work; those of whole servers are what a clock shows.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { accounts, deposit, depositMany, domainOf, generatedServer, openEngine } from '../accounts.ts';
import { alternate, cpuTimed, median, type Figure } from '../measure.ts';
import { report, type Skipped } from '../report.ts';
import { rowByKey } from '../row-by-key.ts';
import { residentBytes, rowsPerSecond } from '../server-reads.ts';
import { startServer } from '../tool.ts';

/** For the whole of what is asked of it: `SCHEMAC_BENCH_EVENTS=20000000`, with some 20 GB of disk. */
const asked = Number(process.env['SCHEMAC_BENCH_EVENTS'] ?? 1_000_000);

await report(async ({ root, folder, quick, rounds }) => {
  const [many, few] = [quick ? 100_000 : asked, 1000];
  const label = many.toLocaleString('en');
  const streamOf = (number: number): string => `A-${number % Math.max(1, many / 10)}`;
  const domain = await domainOf();
  const fresh = (): string => mkdtempSync(join(folder, 'store-'));
  const figures: (Figure | Skipped)[] = [];
  const most = (name: string, unit: string, bound: number, value: number, sides?: readonly [number, number]): void => {
    figures.push({ name, unit, goal: { at: 'most', value: bound }, value, ...(sides !== undefined && { sides }) });
  };
  type Engine = Awaited<ReturnType<typeof openEngine>>;
  const several = (work: (number: number) => Promise<unknown>): Promise<number> =>
    cpuTimed(async () => {
      for (let number = 0; number < 200; number++) await work(number);
    });
  let used = 0;
  const commands = (engine: Engine): Promise<number> =>
    several((number) => deposit(engine, `B-${(used += 1) % 50}`, number));
  const rows = (engine: Engine): Promise<number> => several((number) => rowByKey(engine, `A-${number % 100}`));
  const projection = (name: string): (typeof domain.projections)[number]['query'] => {
    const found = domain.projections.find((one) => one.name === name);
    if (found === undefined) throw new Error(`projection ${name} is missing in ${accounts}`);
    return found.query;
  };
  const [total, scan] = [projection('Total'), projection('Tellers')];
  const sum = (engine: Engine): Promise<number> => cpuTimed(() => engine.query(total, [], {}));
  const scanned = (engine: Engine): Promise<number> => cpuTimed(() => engine.query(scan, [], {}));

  const before = residentBytes();
  const big = fresh();
  const long = await openEngine(domain, big, 'disk');
  const filled = await cpuTimed(() => depositMany(long, many, 64, streamOf));
  await rowByKey(long, 'A-1');
  globalThis.gc?.();
  most(`resident memory for ${label} events on disk`, 'MiB', 512, residentBytes() / 2 ** 20, [
    residentBytes() / 2 ** 20,
    before / 2 ** 20,
  ]);
  const short = await openEngine(domain, fresh(), 'disk');
  await depositMany(short, few, 64, (number) => `A-${number % 100}`);
  const memory = await openEngine(domain, fresh(), 'memory');
  const filledMemory = await cpuTimed(() => depositMany(memory, many, 64, streamOf));
  const compare = async (what: string, bound: number, other: Engine, work: (engine: Engine) => Promise<number>) => {
    const sides = await alternate(
      rounds,
      () => work(long),
      () => work(other),
    );
    most(what, 'ratio (ms of processor)', bound, sides[0] / sides[1], sides);
  };
  const history = `on disk, ${label} events : ${few.toLocaleString('en')}`;
  await compare(`200 commands ${history}`, 1.2, short, commands);
  await compare(`200 foldable rows ${history}`, 1.2, short, rows);
  await compare(`foldable total ${history}`, 1.2, short, sum);
  const engines = `${label} events on disk : in memory`;
  most(`many commands, ${engines}`, 'ratio (ms of processor)', 1.3, filled / filledMemory, [filled, filledMemory]);
  await compare(`200 foldable rows, ${engines}`, 1.3, memory, rows);
  await compare(`foldable total, ${engines}`, 1.3, memory, sum);
  await compare(`scan, ${engines}`, 1.3, memory, scanned);
  const scans: number[] = [];
  for (let round = 0; round < rounds; round++) scans.push(await scanned(long));
  await Promise.all([long.close(), short.close(), memory.close()]);

  const bytes = (isPart: (name: string) => boolean): number =>
    readdirSync(big)
      .filter(isPart)
      .reduce((sum, name) => sum + statSync(join(big, name)).size, 0);
  const [file, log] = [bytes((name) => name === 'read-model.db'), bytes((name) => name.endsWith('.seg'))];
  figures.push({
    name: 'the file : the log',
    unit: 'ratio (bytes)',
    goal: { at: 'most', value: 2 },
    value: file / log,
    sides: [file, log],
  });
  figures.push(scanInShell(median(scans), join(big, 'read-model.db'), domain.readModel.sqlite.views, rounds));

  const generated = await generatedServer(folder);
  const environment = { SCHEMAC_READ_ENGINE: 'disk' };
  /** From the start of the process to the first answer that needs the read model, in ms. */
  const ready = async (): Promise<number> => {
    const start = performance.now();
    const server = await startServer(root, generated, big, environment);
    let answer = await fetch(`${server.url}/api/projections/Total/query`);
    while (answer.status === 503) answer = await fetch(`${server.url}/api/projections/Total/query`);
    await answer.arrayBuffer();
    const time = performance.now() - start;
    await server.stop();
    if (!answer.ok) throw new Error(`the first answer was ${answer.status}`);
    return time;
  };
  const restarts = [await ready(), await ready(), await ready()];
  most(`restart on disk with ${label} events to the first answer`, 'ms', 1000, median(restarts));
  const server = await startServer(root, generated, big, environment);
  const reads: number[] = [];
  for (let round = 0; round < rounds; round++)
    reads.push((await rowsPerSecond(`${server.url}/api/aggregates/Account/events`, server.child.pid ?? 0, many)).rate);
  await server.stop();
  figures.push({
    name: `GET events of ${label} as Arrow from disk`,
    unit: 'rows/s',
    goal: { at: 'least', value: 500_000 },
    value: median(reads),
  });
  rmSync(join(big, 'read-model.db'));
  const built = await ready();
  figures.push({
    name: 'building the file from the log',
    unit: 'events/s',
    goal: { at: 'least', value: 60_000 },
    value: many / ((built - median(restarts)) / 1000),
  });
  return figures;
});

/** Runs this SQL in the `sqlite3` shell, on the same file. */
function scanInShell(
  ours: number,
  file: string,
  views: readonly { readonly name: string; readonly sql: string }[],
  rounds: number,
): Figure | Skipped {
  const name = 'scan on disk : sqlite3 shell on the same file';
  const view = views.find((each) => each.name === 'p$Tellers');
  if (view === undefined) return { name, skipped: 'the projection has no view' };
  try {
    const script = `.timer on\n${`${view.sql};\n`.repeat(rounds + 1)}`;
    const said = execFileSync('sqlite3', [file], { input: script }).toString();
    const times = [...said.matchAll(/user (\d+\.\d+) sys (\d+\.\d+)/g)].map(
      ([, user, system]) => (Number(user) + Number(system)) * 1000,
    );
    const theirs = median(times.slice(1));
    const goal = { at: 'most', value: 1.5 } as const;
    return { name, unit: 'ratio (ms of processor)', goal, value: ours / theirs, sides: [ours, theirs] };
  } catch (error) {
    return { name, skipped: `no sqlite3 here: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}` };
  }
}
