/**
 * `npm run test:change [-- seconds kills]`: the long figures of changes while serving. 32 clients at half of peak load while 200 changes
 * are posted over 200,000 events, what 1,000 changes take in memory, then kills at random moments. Ends with 1 where a request failed, an
 * event is lost, p99 rose beyond three times what it was, or memory beyond 1.2 times.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { command } from '../contract/accounts.ts';
import { build, get, start } from './served.ts';
import { load, lost, median, percentile, postChanges, type Load } from './under-load.ts';

const [seconds = 60, kills = 100] = process.argv.slice(2).map(Number);
const history = 200_000;
const clients = 32;
const rounds = 7;
/** Changes in a round. */
const each = Math.round((200 * seconds) / 60 / rounds);
const folder = mkdtempSync(join(tmpdir(), 'schemac-change-'));
const problems: string[] = [];
try {
  await build(folder);
  await fill(join(folder, 'data'));
  const { url, output } = await start(folder);
  await get(url, '/api/projections/Sums/query'); // answers when the whole history is taken in
  await load(url, { clients, milliseconds: 2000 });
  const peak = (await load(url, { clients, milliseconds: 5000 })).acknowledged.length / 5;
  const result = await alternate(url, peak / 2);
  const { acknowledged, failures } = result;
  const missing = await lost(url, history, acknowledged);
  console.log(
    `peak ${Math.round(peak)} commands/s; ${acknowledged.length} acknowledged at half of it, ${missing.length} lost`,
  );
  console.log(`${rounds * each} changes; failed requests ${failures.length}`);
  const [still, busy] = [median(result.still), median(result.busy)];
  console.log(
    `p99 of commands, median of ${rounds} rounds: ${still.toFixed(1)} ms without changes (${figures(result.still)}), ` +
      `${busy.toFixed(1)} ms with them (${figures(result.busy)}): ${(busy / still).toFixed(2)} times`,
  );
  problems.push(...failures, ...missing.map((id) => `lost ${id}`));
  if (!(busy <= 3 * still)) problems.push('p99 rose more than three times');
  if ((await output.stop()) !== 0) problems.push('the server did not stop well');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems.slice(0, 10)) console.log(problem);
const others = ['memory.ts', 'kill.test.ts'].map((file) =>
  spawnSync(
    process.execPath,
    ['--conditions=schemac-source', '--import', 'tsx', fileURLToPath(new URL(file, import.meta.url))],
    { stdio: 'inherit', env: { ...process.env, SCHEMAC_CHANGE_KILLS: String(kills) } },
  ),
);
process.exitCode = problems.length === 0 && others.every(({ status }) => status === 0) ? 0 : 1;

interface Alternated {
  /** p99 of commands in ms, one a round. */
  readonly still: readonly number[];
  readonly busy: readonly number[];
  readonly acknowledged: readonly string[];
  readonly failures: readonly string[];
}

/** A round without changes before each round with them, so that whatever else the machine does in the meantime weighs on both. */
async function alternate(url: string, rate: number): Promise<Alternated> {
  const still: number[] = [];
  const busy: number[] = [];
  const acknowledged: string[] = [];
  const failures: string[] = [];
  const note = (into: number[], loaded: Load): void => {
    into.push(percentile(loaded.latencies, 0.99));
    acknowledged.push(...loaded.acknowledged);
    failures.push(...loaded.failures);
  };
  const milliseconds = (seconds * 1000) / rounds;
  for (let round = 0; round < rounds; round++) {
    note(still, await load(url, { clients, milliseconds: milliseconds / 2, rate }));
    const [loaded, changed] = await Promise.all([
      load(url, { clients, milliseconds, rate }),
      postChanges(url, each, milliseconds, round * each),
    ]);
    note(busy, loaded);
    failures.push(...changed);
  }
  return { still, busy, acknowledged, failures };
}

function figures(values: readonly number[]): string {
  return values.map((value) => value.toFixed(1)).join(', ');
}

/** Writes a history of a thousand streams into the log. */
async function fill(directory: string): Promise<void> {
  const store = await openEmbeddedStore({ directory, readModel: 'inline' });
  for (let done = 0; done < history; done += 1000) {
    await store.exclusively(async (turn) => {
      for (let index = 0; index < 1000; index++)
        turn.append(
          await command(turn, 'Put', `old-${index}`, [['Added', { n: 1 }]], undefined, 'Box'),
          1_700_000_000_000_000n,
        );
    });
  }
  await store.close();
}
