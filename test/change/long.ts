/**
 * `npm run test:change [-- seconds kills schemas]`: the long figures of changes while serving. 32 clients at half of
 * the peak rate while 200 changes are posted over 200,000 events, the memory of 1,000 changes, then kills at random
 * moments. Ends with 1 when a request failed, an event is lost, p99 exceeds three times its former value, or memory 1.2
 * times.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { command } from '../contract/accounts.ts';
import { build, get, start } from './served.ts';
import { load, lost, median, percentile, postChanges } from './under-load.ts';

const [seconds = 60, kills = 100, schemas = 500] = process.argv.slice(2).map(Number);
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
  await get(url, '/api/projections/Sums/query'); // answers when the whole history is applied
  await load(url, { clients, milliseconds: 2000 });
  const peak = (await load(url, { clients, milliseconds: 5000 })).acknowledged.length / 5;
  const result = await alternate(url, peak / 2);
  const { acknowledged, failures } = result;
  const missing = await lost(url, history, acknowledged);
  console.log(
    `peak ${Math.round(peak)} commands/s; ${acknowledged.length} acknowledged at half of it, ${missing.length} lost`,
  );
  console.log(`${rounds * each} changes; failed requests ${failures.length}`);
  const times = median(result.rounds.map(({ still, busy }) => busy / still));
  console.log(
    `p99 of commands without changes and with them, in ms: ${result.rounds.map(figures).join(', ')}; ` +
      `medians ${figures({ still: median(result.rounds.map(({ still }) => still)), busy: median(result.rounds.map(({ busy }) => busy)) })}`,
  );
  console.log(`median of the rounds: ${times.toFixed(2)} times`);
  problems.push(...failures, ...missing.map((id) => `lost ${id}`));
  if (!(times <= 3)) problems.push('p99 rose more than three times');
  if ((await output.stop()) !== 0) problems.push('the server did not stop well');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems.slice(0, 10)) console.log(problem);
const others = [['memory.ts'], ['kill.test.ts'], ['large.ts', String(schemas)]].map(([file = '', ...words]) =>
  spawnSync(
    process.execPath,
    ['--conditions=schemac-source', '--import', 'tsx', fileURLToPath(new URL(file, import.meta.url)), ...words],
    { stdio: 'inherit', env: { ...process.env, SCHEMAC_CHANGE_KILLS: String(kills) } },
  ),
);
process.exitCode = problems.length === 0 && others.every(({ status }) => status === 0) ? 0 : 1;

interface Alternated {
  readonly rounds: readonly Round[];
  readonly acknowledged: readonly string[];
  readonly failures: readonly string[];
}
/** p99 of commands in ms. */
interface Round {
  readonly still: number;
  readonly busy: number;
}

/**
 * Each round has the same time without changes before and after that with changes, so that other load on the machine
 * affects both.
 */
async function alternate(url: string, rate: number): Promise<Alternated> {
  const result = { rounds: [] as Round[], acknowledged: [] as string[], failures: [] as string[] };
  const milliseconds = (seconds * 1000) / rounds;
  const loaded = async (part: number): Promise<readonly number[]> => {
    const { acknowledged, failures, latencies } = await load(url, { clients, milliseconds: milliseconds * part, rate });
    result.acknowledged.push(...acknowledged);
    result.failures.push(...failures);
    return latencies;
  };
  for (let round = 0; round < rounds; round++) {
    const before = await loaded(1 / 3);
    const [during, changed] = await Promise.all([loaded(1), postChanges(url, each, milliseconds, round * each)]);
    const after = await loaded(1 / 3);
    result.failures.push(...changed);
    result.rounds.push({ still: percentile([...before, ...after], 0.99), busy: percentile(during, 0.99) });
  }
  return result;
}

function figures({ still, busy }: Round): string {
  return `${still.toFixed(1)} and ${busy.toFixed(1)}`;
}

/** Writes a history of a thousand streams into the log. */
async function fill(directory: string): Promise<void> {
  const store = await openEmbeddedStore({ directory, readModel: 'inline' });
  for (let done = 0; done < history; done += 1000) {
    await store.turns.exclusively(async (turn) => {
      for (let index = 0; index < 1000; index++)
        turn.append(
          await command(turn, 'Put', `old-${index}`, [['Added', { n: 1 }]], undefined, 'Box'),
          1_700_000_000_000_000n,
        );
    });
  }
  await store.close();
}
