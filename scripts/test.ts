/**
 * `npm test [-- part-of-a-path …]`: builds, then checks types, lint and format and runs every test file, each in a process
 * of its own. Prints what failed, and `N passed, N failed` as its last line. With paths it runs the matching test files only.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { killRunning, runProcess, type ProcessResult } from './run-process.ts';
import { readSuiteReport, type SuiteReport } from './suite-report.ts';

interface Job {
  readonly name: string;
  readonly arguments: readonly string[];
  readonly seconds: number;
  /** A check is one test that passes or fails; a suite counts its own. */
  readonly kind: 'check' | 'suite';
}

const root = fileURLToPath(new URL('..', import.meta.url));
const source = ['--conditions=schemac-source', '--import', 'tsx'];
const parallel = 2;
/** Longest in one file; raise it with a reason, the whole run has 8 minutes. */
const suiteSeconds = 180;

const build: Job = {
  name: 'build',
  arguments: ['--import', 'tsx', 'scripts/build.ts', '--emit-only'],
  seconds: 180,
  kind: 'check',
};
const checks: readonly Job[] = [
  { name: 'types', arguments: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'], seconds: 180, kind: 'check' },
  { name: 'lint', arguments: ['node_modules/eslint/bin/eslint.js', '.'], seconds: 300, kind: 'check' },
  {
    name: 'format',
    arguments: ['node_modules/prettier/bin/prettier.cjs', '--check', '.'],
    seconds: 180,
    kind: 'check',
  },
];

function testFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return entry.name === 'cases' ? [] : testFiles(path);
      return entry.name.endsWith('.test.ts') ? [path] : [];
    });
}

function suite(path: string): Job {
  return { name: path, arguments: [...source, path], seconds: suiteSeconds, kind: 'suite' };
}

function judge(job: Job, result: ProcessResult): SuiteReport {
  if (job.kind === 'suite') return readSuiteReport(result);
  if (result.timedOut) return { passed: 0, failed: 1, skipped: 0, problem: `no end within ${job.seconds} s` };
  return result.status === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

const total = { passed: 0, failed: 0, skipped: 0 };

async function runJob(job: Job): Promise<void> {
  const result = await runProcess({
    command: process.execPath,
    arguments: job.arguments,
    cwd: root,
    milliseconds: job.seconds * 1000,
    environment: { NO_COLOR: '1', FORCE_COLOR: undefined, SCHEMAC_TEST_BUILT: '1' },
  });
  const report = judge(job, result);
  total.passed += report.passed;
  total.failed += report.failed;
  total.skipped += report.skipped;
  const skipped = report.skipped > 0 ? `, ${report.skipped} skipped` : '';
  const time = `${result.seconds.toFixed(1)} s`;
  if (report.failed === 0) {
    console.log(`ok    ${job.name}  ${report.passed}${skipped}  ${time}`);
    return;
  }
  const indented = result.output.trimEnd().replaceAll('\n', '\n      ');
  console.log(`FAIL  ${job.name}  ${report.failed} failed, ${report.passed} passed${skipped}  ${time}`);
  if (report.problem !== undefined) console.log(`      ${report.problem}`);
  console.log(`      ${indented}`);
}

async function runAll(jobs: readonly Job[]): Promise<void> {
  const queue = [...jobs];
  const work = async (): Promise<void> => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) await runJob(job);
  };
  await Promise.all(Array.from({ length: parallel }, work));
}

/** A run that silently lost files or tests must not look like success. */
function checkFloor(files: number): void {
  const floor = JSON.parse(readFileSync(join(root, 'test/floor.json'), 'utf8')) as { files: number; tests: number };
  const tests = total.passed + total.failed + total.skipped;
  if (files >= floor.files && tests >= floor.tests) return;
  total.failed++;
  console.log(
    `FAIL  floor  ${files} test files with ${tests} tests; test/floor.json asks for ${floor.files} and ${floor.tests}`,
  );
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    killRunning();
    process.exit(130);
  });
}

const wanted = process.argv.slice(2);
const files = testFiles('test');
if (wanted.length > 0) {
  const chosen = files.filter((file) => wanted.some((part) => file.includes(relative(root, join(root, part)))));
  if (chosen.length === 0) {
    console.error(`no test file's path holds ${wanted.join(' or ')}`);
    process.exit(2);
  }
  await runAll([build]);
  await runAll(chosen.map(suite));
} else {
  await runAll([build]);
  await runAll([...checks, ...files.map(suite)]);
  checkFloor(files.length);
}
if (total.skipped > 0) console.log(`${total.skipped} skipped`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;
