import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { SourceFile } from '../../language/source/source-file.ts';
import { clockFlag } from '../clock-flag.ts';
import type { Run } from '../declaration.ts';
import { type ExitStatus, environmentFault, usageFault } from '../exit-fault.ts';
import { createCoverage, type Coverage } from '../expectations/coverage.ts';
import { junitReport } from '../expectations/junit.ts';
import { countVerdicts, renderReport } from '../expectations/report-text.ts';
import { runScript, type ScriptOptions, type ScriptReport } from '../expectations/run-script.ts';
import { runSchema, schemaText, type SchemaText } from '../load-schema.ts';
import { withMemorySession } from '../open-session.ts';
import { writeJsonLine } from '../shell.ts';
import { withProgress } from '../progress.ts';
import { readSchemaFiles } from '../schema-files.ts';
import { resolveSettings, type Flags, type Settings } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';
import { watchAndTell } from '../watch-paths.ts';
import { schemaFlag } from './statement.ts';

/** `schemac test <scripts…>`: each script in its own session, in memory, several at once. */
export const runTest: Run = async (shell, words, flags) => {
  const settings = resolveSettings(shell, flags);
  const paths = testPaths(words, flags, settings);
  const bounds = {
    milliseconds: timeLimit(flags),
    leastPercent: leastCoverage(flags),
    ...clockFlag({ clock: flags['clock'] ?? settings.clock }),
  };
  if (flags['watch'] !== true) return runAll(shell, paths, flags, bounds);
  await watchAndTell(shell, [...paths.scripts, ...paths.schema], () => runAll(shell, paths, flags, bounds));
  return 0;
};

interface TestPaths {
  readonly scripts: readonly string[];
  readonly schema: readonly string[];
}

/** The scripts and the schema of the command line, each by default that of the configuration. */
function testPaths(words: readonly string[], flags: Flags, { schema = [], tests = [] }: Settings): TestPaths {
  const scripts = words.length > 0 ? words : tests;
  if (scripts.length === 0)
    throw usageFault('name scripts or folders of scripts, or set "tests" in schemac.config.json');
  const named = schemaFlag(flags);
  return { scripts, schema: named.length > 0 ? named : schema };
}

/** The time limit of one statement, in ms. */
function timeLimit({ timeout = '60' }: Flags): number {
  const seconds = Number(timeout);
  if (!(seconds > 0 && seconds <= 86_400))
    throw usageFault(`--timeout takes seconds, 1 to 86400, not '${String(timeout)}'`);
  return seconds * 1000;
}

interface Bounds {
  readonly milliseconds: number;
  readonly leastPercent: number | undefined;
  /** The moment at which the time of each script begins. */
  readonly begins?: bigint;
}

/** The coverage that is asked for, in percent. */
function leastCoverage({ failUnder }: Flags): number | undefined {
  if (typeof failUnder !== 'string') return undefined;
  const percent = /^\d{1,3}(\.\d+)?$/.test(failUnder) ? Number(failUnder) : Infinity;
  if (percent <= 100) return percent;
  throw usageFault(`--fail-under takes a percentage from 0 to 100, not '${failUnder}'`);
}

async function runAll(
  shell: Shell,
  paths: TestPaths,
  flags: Flags,
  { milliseconds, leastPercent, ...clock }: Bounds,
): Promise<ExitStatus> {
  const files = readSchemaFiles(shell.cwd, paths.scripts);
  const schema = await schemaText(shell, paths.schema);
  if (schema === undefined) return 1;
  const coverage = flags['coverage'] === true || leastPercent !== undefined ? createCoverage() : undefined;
  const reports: ScriptReport[] = [];
  const queue = [...files.entries()];
  let done = 0;
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      reports[next[0]] = await runOne(shell, next[1], schema, coverage, {
        milliseconds,
        allowRejected: flags['allowRejected'] === true,
        ...clock,
      });
      done += 1;
    }
  };
  const workers = Math.min(4, availableParallelism());
  await withProgress(
    shell,
    () => `${done} of ${files.length} scripts run`,
    () => Promise.all(Array.from({ length: workers }, work)),
  );
  report(shell, reports, coverage, flags);
  const isCovered = leastPercent === undefined || isReached(shell, coverage, leastPercent);
  return countVerdicts(reports).failed > 0 || !isCovered ? 1 : 0;
}

function isReached(shell: Shell, coverage: Coverage | undefined, leastPercent: number): boolean {
  const percent = coverage?.percent() ?? 0;
  if (percent >= leastPercent) return true;
  // Rounded down, so that it never looks like the number that was not reached.
  shell.messages.write(`coverage is ${Math.floor(percent * 10) / 10} %, less than --fail-under ${leastPercent}\n`);
  return false;
}

function runOne(
  shell: Shell,
  file: SourceFile,
  schema: SchemaText,
  coverage: Coverage | undefined,
  { begins, ...limits }: Pick<ScriptOptions, 'milliseconds' | 'allowRejected'> & Pick<Bounds, 'begins'>,
): Promise<ScriptReport> {
  return withMemorySession(
    async (session) => {
      await runSchema(shell, session, schema);
      const judged = await runScript(session, file, { ...limits, onOutcome: (outcome) => coverage?.record(outcome) });
      coverage?.expect(session.engine.domain());
      return judged;
    },
    begins === undefined ? {} : { begins },
  );
}

function report(shell: Shell, reports: readonly ScriptReport[], coverage: Coverage | undefined, flags: Flags): void {
  const { passed, failed } = countVerdicts(reports);
  if (flags['json'] === true) writeJsonLine(shell.output, reportJson(reports, coverage));
  else {
    for (const each of reports) shell.output.write(renderReport(each, shell.output.colour));
    if (coverage !== undefined) shell.output.write(coverage.text());
    shell.output.write(`${passed} passed, ${failed} failed\n`);
  }
  if (typeof flags['junit'] === 'string') writeJunit(resolve(shell.cwd, flags['junit']), reports);
}

function reportJson(reports: readonly ScriptReport[], coverage: Coverage | undefined): object {
  return {
    ...countVerdicts(reports),
    scripts: reports.map(({ file, verdicts, seconds }) => ({ file: file.name, seconds, verdicts })),
    ...(coverage === undefined ? {} : { coverage: coverage.json() }),
  };
}

function writeJunit(path: string, reports: readonly ScriptReport[]): void {
  try {
    writeFileSync(path, junitReport(reports));
  } catch (error) {
    throw environmentFault(`the JUnit report cannot be written: ${(error as Error).message}`);
  }
}
