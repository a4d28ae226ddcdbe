import type { ProcessResult } from './run-process.ts';

/** The result of one test file. `problem` is set when it fails for another reason than its failed tests. */
export interface SuiteReport {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly problem?: string;
}

/**
 * Reads uvu's summary. uvu exits 0 when a file forgets `test.run()`, and ends early when a test never ends; neither may pass for success,
 * so a file needs a test that ran or was skipped on purpose.
 */
export function readSuiteReport(result: ProcessResult): SuiteReport {
  const total = count(result.output, 'Total');
  const passed = count(result.output, 'Passed') ?? 0;
  const skipped = count(result.output, 'Skipped') ?? 0;
  if (result.timedOut) return broken(passed, skipped, `no end within ${Math.round(result.seconds)} s`);
  if (total === undefined) return broken(passed, skipped, 'ended without a summary');
  if (total === 0 && skipped === 0) return broken(0, 0, 'ran no test; is `test.run()` missing?');
  if (/Exiting early/.test(result.output)) return broken(passed, skipped, 'a test never settled');
  // The total excludes skipped tests.
  const failed = total - passed;
  if (failed > 0) return { passed, failed, skipped };
  if (result.status !== 0)
    return broken(passed, skipped, `exit status ${result.status ?? 'none'} though every test passed`);
  return { passed, failed, skipped };
}

function broken(passed: number, skipped: number, problem: string): SuiteReport {
  return { passed, failed: 1, skipped, problem };
}

function count(output: string, label: string): number | undefined {
  const found = [...output.matchAll(new RegExp(`^\\s*${label}:\\s+(\\d+)\\s*$`, 'gm'))].at(-1)?.[1];
  return found === undefined ? undefined : Number(found);
}
