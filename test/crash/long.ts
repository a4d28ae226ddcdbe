/**
 * The long figures of reliability, one after the other, each with its 95 % bound on the rate of failure when there was none:
 *
 *   node --import tsx test/crash/long.ts [kills] [states] [contenders]
 *
 * By default 1,000 cycles of kill -9, 50,000 crash states, every error for ever and once, every bit of a log of 64 KiB, and 100
 * processes for one directory.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [kills = '1000', states = '50000', contenders = '100'] = process.argv.slice(2);
const runs = [
  { goal: 'R1 kill -9 under load', file: 'kill', cycles: Number(kills), environment: { SCHEMAC_KILL_CYCLES: kills } },
  {
    goal: 'R3 crash states',
    file: 'crash-states',
    cycles: Number(states),
    environment: { SCHEMAC_CRASH_STATES: states },
  },
  { goal: 'R4 errors of the disk', file: 'io-errors', cycles: undefined, environment: { SCHEMAC_EVERY_ERROR: '1' } },
  {
    goal: 'R6 every bit of a log',
    file: 'bit-flips',
    cycles: undefined,
    // About 345 bytes of log a round of three commands.
    environment: { SCHEMAC_EVERY_BIT: '1', SCHEMAC_FLIP_ROUNDS: '190' },
  },
  { goal: 'R7 order of writes, syncs and answers', file: 'order', cycles: undefined, environment: {} },
  { goal: 'R9 one owner', file: 'lock', cycles: undefined, environment: { SCHEMAC_LOCK_CONTENDERS: contenders } },
];

let failed = false;
for (const { goal, file, cycles, environment } of runs) {
  const started = performance.now();
  const path = fileURLToPath(new URL(`${file}.test.ts`, import.meta.url));
  const { status, stdout } = spawnSync(
    process.execPath,
    ['--conditions=schemac-source', '--import', import.meta.resolve('tsx'), path],
    { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' },
  );
  const seconds = Math.round((performance.now() - started) / 1000);
  const bound = cycles === undefined ? '' : `, failure rate below ${(3 / cycles).toPrecision(2)} (95 %)`;
  console.log(`${goal}: ${status === 0 ? `no failure${bound}` : 'FAILED'} in ${seconds} s`);
  for (const line of stdout.split('\n').filter((text) => text.includes('SCHEMAC_SEED') || text.startsWith('kill:'))) {
    console.log(`  ${line}`);
  }
  if (status !== 0) {
    failed = true;
    console.log(stdout);
  }
}
process.exitCode = failed ? 1 : 0;
