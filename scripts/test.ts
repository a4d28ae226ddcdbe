/**
 * `npm test [-- --changed | part-of-a-path …]`: builds, then checks lint (which includes the types) and format and runs every test file, each in its own
 * process. Prints each failure, and `N passed, N failed` as its last line. With paths it runs only the matching test files; with
 * `--changed` only those that depend on an uncommitted change, for the inner loop.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleTests } from './bundle.ts';
import { changedPaths, concernedSuites } from './changed-suites.ts';
import { measured, readMeasured } from './processor-time.ts';
import { installPackages } from './packages.ts';
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
/** Number of suites at once: one more than the cores that a run is made for, since suites wait for processes, databases and disks. */
const parallel = 3;
/** Time limit of one file; raise it with a reason, the whole run has 8 minutes. */
const suiteSeconds = 180;

const build: Job = {
  name: 'build',
  arguments: ['--import', 'tsx', 'scripts/build.ts', '--emit-only'],
  seconds: 180,
  kind: 'check',
};
const checks: readonly Job[] = [
  { name: 'lint', arguments: ['test/node_modules/oxlint/bin/oxlint'], seconds: 180, kind: 'check' },
  { name: 'format', arguments: ['test/node_modules/oxfmt/bin/oxfmt', '--check'], seconds: 60, kind: 'check' },
];

/** The linter asks this program about types; by itself it looks for it only in `node_modules` of the folder in which it runs. */
const linterEnvironment = { OXLINT_TSGOLINT_PATH: 'test/node_modules/oxlint-tsgolint/bin/tsgolint.js' };

/** The modules below a folder whose names have one of the endings. */
function modules(folder: string, endings: readonly string[]): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return ['cases', 'node_modules'].includes(entry.name) ? [] : modules(path, endings);
      return endings.some((ending) => entry.name.endsWith(ending)) ? [path] : [];
    });
}

function suite(path: string): Job {
  const module = `build/${path.replace(/\.ts$/, '.js')}`;
  const options = ['--import', './scripts/end-failed-suite.js', '--enable-source-maps'];
  return { name: path, arguments: [...options, module], seconds: suiteSeconds, kind: 'suite' };
}

/** The slowest files start first, so that none of them runs alone at the end. */
function longestFirst(paths: readonly string[]): string[] {
  const slow = JSON.parse(readFileSync(join(root, 'test/slow.json'), 'utf8')) as readonly string[];
  return [...slow.filter((path) => paths.includes(path)), ...paths.filter((path) => !slow.includes(path))];
}

function judge(job: Job, result: ProcessResult): SuiteReport {
  if (job.kind === 'suite') return readSuiteReport(result);
  if (result.timedOut) return { passed: 0, failed: 1, skipped: 0, problem: `no end within ${job.seconds} s` };
  return result.status === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

const total = { passed: 0, failed: 0, skipped: 0 };
/** Seconds of processor time, which another load on the machine changes less than the clock. */
const costs: (readonly [name: string, seconds: number])[] = [];

/**
 * The random cases of a run are always the same, so that it fails by a change alone; the long commands try others. A seed that is given counts.
 */
const seeds = Object.fromEntries(
  ['SEED', 'SCHEMAC_SEED', 'SCHEMAC_FUZZ_SEED'].map((name) => [name, process.env[name] ?? '20260101']),
);

async function runJob(job: Job): Promise<void> {
  const { output, ...ended } = await runProcess({
    ...measured(process.execPath, job.arguments),
    cwd: root,
    milliseconds: job.seconds * 1000,
    environment: { ...seeds, ...linterEnvironment, NO_COLOR: '1', FORCE_COLOR: undefined, SCHEMAC_TEST_BUILT: '1' },
  });
  const { processorSeconds, ...wrote } = readMeasured(output);
  const result = { ...ended, ...wrote };
  const report = judge(job, result);
  costs.push([job.name, processorSeconds ?? 0]);
  total.passed += report.passed;
  total.failed += report.failed;
  total.skipped += report.skipped;
  const skipped = report.skipped > 0 ? `, ${report.skipped} skipped` : '';
  const processor = processorSeconds === undefined ? '' : `, ${processorSeconds.toFixed(1)} s of processor`;
  const time = `${result.seconds.toFixed(1)} s${processor}`;
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

/** Reports the suites with which a shorter run would have to begin. */
function costLine(): string {
  const all = costs.reduce((sum, [, seconds]) => sum + seconds, 0);
  const most = [...costs].sort(([, a], [, b]) => b - a).slice(0, 5);
  return `${Math.round(all)} s of processor; the most: ${most.map(([name, seconds]) => `${name} ${Math.round(seconds)}`).join(', ')}`;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    killRunning();
    process.exit(130);
  });
}

const wanted = process.argv.slice(2);
const files = modules('test', ['.test.ts']);
/** Test modules that a suite starts as processes and threads of their own. */
const started = modules('test', ['-process.ts', '-thread.ts']);

/** The test files asked for on the command line. */
function chosen(sources: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  if (wanted.length === 0) return files;
  if (wanted.includes('--changed')) return concernedSuites(changedPaths(root), files, sources);
  const found = files.filter((file) => wanted.some((part) => file.includes(relative(root, join(root, part)))));
  if (found.length > 0) return found;
  console.error(`no test file's path holds ${wanted.join(' or ')}`);
  process.exit(2);
}

for (const folder of ['test', 'editors/vscode'] as const) installPackages(folder);
await runAll([build]);
const sources = await bundleTests(root, [...files, ...started]);
const suites = longestFirst(chosen(sources)).map(suite);
await runAll(wanted.length === 0 ? [...checks, ...suites] : suites);
if (wanted.length === 0) checkFloor(files.length);
console.log(costLine());
if (total.skipped > 0) console.log(`${total.skipped} skipped`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;
