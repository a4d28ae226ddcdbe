import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ProcessResult } from '../../scripts/run-process.ts';
import { readSuiteReport } from '../../scripts/suite-report.ts';

const summary = (total: number, passed: number, skipped: number): string =>
  `\n  Total:     ${total}\n  Passed:    ${passed}\n  Skipped:   ${skipped}\n  Duration:  1.00ms\n`;
const ended = (output: string, status = 0): ProcessResult => ({ status, output, timedOut: false, seconds: 1 });

const table: [name: string, result: ProcessResult, report: ReturnType<typeof readSuiteReport>][] = [
  ['all passed', ended(summary(3, 3, 0)), { passed: 3, failed: 0, skipped: 0 }],
  ['some failed', ended(summary(3, 1, 0), 1), { passed: 1, failed: 2, skipped: 0 }],
  ['some skipped, which are not in the total', ended(summary(2, 2, 1)), { passed: 2, failed: 0, skipped: 1 }],
  ['some skipped and one failed', ended(summary(2, 1, 1), 1), { passed: 1, failed: 1, skipped: 1 }],
  ['all skipped', ended(summary(0, 0, 3)), { passed: 0, failed: 0, skipped: 3 }],
  [
    'several summaries: the last one counts',
    ended(summary(9, 9, 0) + summary(2, 2, 0)),
    { passed: 2, failed: 0, skipped: 0 },
  ],
  [
    'nothing ran',
    ended(summary(0, 0, 0)),
    { passed: 0, failed: 1, skipped: 0, problem: 'ran no test; is `test.run()` missing?' },
  ],
  ['no summary', ended('SyntaxError', 1), { passed: 0, failed: 1, skipped: 0, problem: 'ended without a summary' }],
  [
    'a test that never settles',
    ended(`Exiting early before testing is finished.${summary(3, 1, 0)}`, 1),
    { passed: 1, failed: 1, skipped: 0, problem: 'a test never settled' },
  ],
  [
    'a failing exit after passing tests',
    ended(summary(3, 3, 0), 1),
    { passed: 3, failed: 1, skipped: 0, problem: 'exit status 1 though every test passed' },
  ],
  [
    'time ran out',
    { status: undefined, output: '', timedOut: true, seconds: 180 },
    { passed: 0, failed: 1, skipped: 0, problem: 'no end within 180 s' },
  ],
];

for (const [name, result, report] of table) test(name, () => assert.equal(readSuiteReport(result), report));

test.run();
