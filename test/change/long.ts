/**
 * `npm run test:change [-- seconds kills]`: the long figures of changes while serving. 32 clients at half of peak load while 200 changes
 * are posted over 200,000 events, then kills at random moments. Ends with 1 where a request failed, an event is lost or p99 rose beyond
 * three times what it was.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { command } from '../contract/accounts.ts';
import { build, get, start } from './served.ts';
import { load, lost, percentile, postChanges } from './under-load.ts';

const [seconds = 60, kills = 100] = process.argv.slice(2).map(Number);
const history = 200_000;
const changes = Math.round((200 * seconds) / 60);
const folder = mkdtempSync(join(tmpdir(), 'schemac-change-'));
const problems: string[] = [];
try {
  await build(folder);
  await fill(join(folder, 'data'));
  const { url, output } = await start(folder);
  const clients = 32;
  await get(url, '/api/projections/Sums/query'); // answers when the whole history is taken in
  await load(url, { clients, milliseconds: 2000 });
  const peak = (await load(url, { clients, milliseconds: 5000 })).acknowledged.length / 5;
  const still = await load(url, { clients, milliseconds: (seconds * 1000) / 4, rate: peak / 2 });
  const milliseconds = seconds * 1000;
  const [busy, changed] = await Promise.all([
    load(url, { clients, milliseconds, rate: peak / 2 }),
    postChanges(url, changes, milliseconds),
  ]);
  const acknowledged = [...still.acknowledged, ...busy.acknowledged];
  const missing = await lost(url, history, acknowledged);
  const [before, during] = [percentile(still.latencies, 0.99), percentile(busy.latencies, 0.99)];
  console.log(
    `peak ${Math.round(peak)} commands/s; ${acknowledged.length} acknowledged at half of it, ${missing.length} lost`,
  );
  console.log(`${changes} changes; failed requests ${busy.failures.length + still.failures.length + changed.length}`);
  console.log(
    `p99 of commands ${before.toFixed(1)} ms, during changes ${during.toFixed(1)} ms: ${(during / before).toFixed(2)} times`,
  );
  problems.push(...still.failures, ...busy.failures, ...changed, ...missing.map((id) => `lost ${id}`));
  if (during > 3 * before) problems.push('p99 rose more than three times');
  if ((await output.stop()) !== 0) problems.push('the server did not stop well');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems.slice(0, 10)) console.log(problem);
const killed = spawnSync(
  process.execPath,
  ['--conditions=schemac-source', '--import', 'tsx', fileURLToPath(new URL('kill.test.ts', import.meta.url))],
  { stdio: 'inherit', env: { ...process.env, SCHEMAC_CHANGE_KILLS: String(kills) } },
);
process.exitCode = problems.length === 0 && killed.status === 0 ? 0 : 1;

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
