/**
 * A log in PostgreSQL with 1,000,000 events compared with one with 1,000: the cost of a command, and the time in which a new server reads
 * the log, without and with its file.
 */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { systemRandom } from '../../runtime/store/disk/node-disk.ts';
import { openPostgresJournal } from '../../runtime/store/postgres/postgres-journal.ts';
import { readTarget } from '../../runtime/store/postgres/target.ts';
import { underLoad } from '../load.ts';
import { alternate, median, timed, type Figure } from '../measure.ts';
import { report } from '../report.ts';
import { sharedLogs, type SharedServerOptions } from '../shared-log.ts';
import { processorTime } from '../threads.ts';
import type { Serving } from '../tool.ts';
import { writeDeposits } from '../write-deposits.ts';

await report(async ({ root, folder, quick, rounds }) => {
  const logs = await sharedLogs(root, folder);
  const [many, few] = [quick ? 100_000 : 1_000_000, 1_000];
  const label = many.toLocaleString('en');
  const fill = async (namespace: string, events: number): Promise<void> => {
    await (await logs.start(namespace)).stop(); // it writes the registry
    const journal = await openPostgresJournal({
      target: readTarget(logs.url, 'DATABASE_URL'),
      namespace,
      random: systemRandom,
      now: Date.now,
      monotonic: () => performance.now(),
      log: () => undefined,
    });
    await writeDeposits(journal, events, 1_000);
    await journal.close();
  };
  await fill('bench_long', many);
  await fill('bench_short', few);

  const figures: Figure[] = [];
  const started = async (
    namespace: string,
    options: SharedServerOptions,
  ): Promise<readonly [number, number, Serving]> => {
    let server: Serving | undefined;
    const wall = await timed(async () => (server = await logs.start(namespace, options)));
    if (server === undefined) throw new Error('it has started');
    return [wall, processorTime(server.child.pid ?? 0) / 1000, server];
  };
  /** ms of a clock and of the processor until a server without a file is ready, beyond those of one with few events. */
  const takeIn = async (): Promise<readonly [number, number]> => {
    const [short, long] = [await started('bench_short', {}), await started('bench_long', {})];
    await Promise.all([short[2].stop(), long[2].stop()]);
    return [long[0] - short[0], long[1] - short[1]];
  };
  const taken = [await takeIn(), await takeIn(), await takeIn()];
  const goal = { at: 'least', value: 100_000 } as const;
  const name = `a new server takes in ${label} events`;
  figures.push({ name, unit: 'events/s', goal, value: (many * 1000) / median(taken.map(([wall]) => wall)) });
  figures.push({
    name: `${name}, by processor time of all its threads`,
    unit: 'events/s of processor',
    goal,
    value: (many * 1000) / median(taken.map(([, processor]) => processor)),
  });

  const own = { data: mkdtempSync(join(folder, 'file-')), environment: { SCHEMAC_READ_ENGINE: 'disk' } };
  await (await started('bench_long', own))[2].stop();
  const resumes: number[] = [];
  for (let round = 0; round < 3; round++) {
    const [wall, , server] = await started('bench_long', own);
    await server.stop();
    resumes.push(wall);
  }
  figures.push({
    name: `a server with its file resumes beside ${label} events`,
    unit: 'ms',
    goal: { at: 'most', value: 2_000 },
    value: median(resumes),
  });

  const [long, short] = [await logs.start('bench_long'), await logs.start('bench_short')];
  /** µs of processor time of server and database a command. */
  const cost = async ({ url, child }: Serving): Promise<number> => {
    const used = (): number => processorTime(child.pid ?? 0) + (logs.processor?.() ?? 0);
    const before = used();
    const send = { deposits: 1_000 };
    const path = '/api/aggregates/Account/execute/Deposit';
    const loaded = await underLoad(root, { url: url + path, connections: 64, seconds: quick ? 2 : 5, send });
    return (used() - before) / loaded.answers;
  };
  const sides = await alternate(
    quick ? 2 : rounds,
    () => cost(long),
    () => cost(short),
  );
  figures.push({
    name: `command on a log in PostgreSQL with ${label} events : ${few.toLocaleString('en')}`,
    unit: 'ratio (µs of processor)',
    goal: { at: 'most', value: 1.2 },
    value: sides[0] / sides[1],
    sides,
  });
  await Promise.all([long.stop(), short.stop()]);
  return figures;
});
