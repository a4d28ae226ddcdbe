/**
 * The long figures of reliability (docs/reliability.md), one row after the other, with seeds, counts and, where a row counts
 * independent cycles and none failed, the 95 % bound on the rate of failure:
 *
 *   npm run test:reliability                    all rows
 *   npm run test:reliability -- R1 R3           these
 *   npm run test:reliability -- --scale 0.1 R2  a tenth of the cycles; of N, logs of at most a tenth of the size
 */
import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';

interface Row {
  readonly goal: string;
  readonly says: string;
  readonly test: string;
  /** Independent cycles, and the variable that sets them. */
  readonly cycles?: { readonly count: number; readonly variable: string };
  /** Megabytes of logs, from the smallest on, and the variable that sets them. */
  readonly logs?: { readonly megabytes: readonly number[]; readonly variable: string };
  readonly environment?: Readonly<Record<string, string>>;
}

const rows: readonly Row[] = [
  {
    goal: 'R1',
    says: 'kill -9 under load',
    test: 'crash/kill',
    cycles: { count: 1000, variable: 'SCHEMAC_KILL_CYCLES' },
  },
  {
    goal: 'A',
    says: 'kill -9 while reactions answer',
    test: 'crash/reactions',
    cycles: { count: 1000, variable: 'SCHEMAC_KILL_CYCLES' },
  },
  { goal: 'R2', says: 'power cut', test: 'crash/power-cut', cycles: { count: 300, variable: 'SCHEMAC_POWER_CUTS' } },
  {
    goal: 'R3',
    says: 'crash states',
    test: 'crash/crash-states',
    cycles: { count: 50_000, variable: 'SCHEMAC_CRASH_STATES' },
  },
  { goal: 'R4', says: 'errors of the disk', test: 'crash/io-errors', environment: { SCHEMAC_EVERY_ERROR: '1' } },
  { goal: 'R5', says: 'full, failing and read-only disks under a server', test: 'crash/disk-full' },
  {
    goal: 'R6',
    says: 'every bit of a log of 64 KiB',
    test: 'crash/bit-flips',
    // About 345 bytes of log for each round of three commands.
    environment: { SCHEMAC_EVERY_BIT: '1', SCHEMAC_FLIP_ROUNDS: '190', SCHEMAC_FLIP_SEGMENT: '20000' },
  },
  {
    goal: 'E',
    says: 'segments deleted, emptied, cut, swapped',
    test: 'crash/lost-end',
    environment: { SCHEMAC_LOST_END_ROUNDS: '30', SCHEMAC_LOST_END_CUTS: '200' },
  },
  { goal: 'R7', says: 'order of calls, by strace', test: 'crash/system-calls' },
  {
    goal: 'R9',
    says: 'simultaneous starts on one directory',
    test: 'crash/lock',
    environment: { SCHEMAC_LOCK_CONTENDERS: '100' },
  },
  {
    goal: 'D',
    says: 'snapshot and tail = replay',
    test: 'store/replay',
    cycles: { count: 500, variable: 'SCHEMAC_REPLAY_HISTORIES' },
  },
  {
    goal: 'N',
    says: 'every command on long logs ends with its status and output',
    test: 'cli/every-command',
    logs: { megabytes: [10, 50, 500], variable: 'SCHEMAC_COMMAND_LOGS' },
  },
  {
    goal: 'U',
    says: 'a prompt with --url says what a local one says, all examples',
    test: 'cli/remote',
    environment: { SCHEMAC_EVERY_EXAMPLE: '1' },
  },
  { goal: 'K', says: 'clocks that stand, jump and go back', test: 'engine/clock' },
];

const words = process.argv.slice(2);
const scaleAt = words.indexOf('--scale');
const scale = scaleAt < 0 ? 1 : Number(words.splice(scaleAt, 2)[1]);
const unknown = words.filter((word) => !rows.some(({ goal }) => goal === word));
if (unknown.length > 0 || !(scale > 0)) {
  console.error(`rows are ${rows.map(({ goal }) => goal).join(', ')}; --scale takes a number above 0`);
  process.exit(2);
}
// Takes long, and no test waits for it.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
let failed = false;
for (const row of rows) if (words.length === 0 || words.includes(row.goal)) failed = !(await runRow(row)) || failed;
process.exitCode = failed ? 1 : 0;

/** At least the smallest. */
function scaled(megabytes: readonly number[]): string {
  const most = Math.max(...megabytes) * scale;
  return megabytes.filter((size, at) => at === 0 || size <= most).join(' ');
}

async function runRow({ goal, says, test, cycles, logs, environment }: Row): Promise<boolean> {
  const started = performance.now();
  const count = cycles === undefined ? undefined : Math.max(1, Math.round(cycles.count * scale));
  const { status, output } = await runTest(test, {
    ...environment,
    ...(cycles === undefined ? {} : { [cycles.variable]: String(count) }),
    ...(logs === undefined ? {} : { [logs.variable]: scaled(logs.megabytes) }),
  });
  const bound =
    count === undefined ? '' : ` in ${count} cycles, rate of failure below ${(3 / count).toPrecision(1)} (95 %)`;
  const skipped = /^\s*Skipped:\s+[1-9]/m.test(output);
  const verdict = status !== 0 ? 'FAILED' : skipped ? 'skipped' : `no failure${bound}`;
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`${goal} ${says}: ${verdict}; ${seconds} s, ${new Date().toISOString()}`);
  const remarks = output.split('\n').filter((line) => /SCHEMAC_SEED|^[•\s]*[a-z][a-zA-Z -]+: .*\d/.test(line));
  const told = status === 0 ? remarks.filter((line) => !/^\s*(Total|Passed|Skipped|Duration):/.test(line)) : [output];
  for (const line of told) console.log(`   ${line.replace(/^[•\s]+/, '')}`);
  return status === 0;
}

function runTest(
  test: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ status: number | null; output: string }> {
  const path = fileURLToPath(new URL(`../${test}.test.ts`, import.meta.url));
  const words = ['--conditions=schemac-source', '--import', import.meta.resolve('tsx'), path];
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...environment, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, output }));
  });
}
