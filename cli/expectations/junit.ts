import type { Mismatch, Verdict } from './judge-script.ts';
import { countVerdicts, mismatchText } from './report-text.ts';
import type { ScriptReport } from './run-script.ts';

/** The report as JUnit XML: one suite per script, one case per expectation. */
export function junitReport(reports: readonly ScriptReport[]): string {
  const suites = reports.map((report) => {
    const { passed, failed } = countVerdicts([report]);
    const head = `name="${escape(report.file.name)}" tests="${passed + failed}" failures="${failed}" time="${report.seconds.toFixed(3)}"`;
    return `  <testsuite ${head}>\n${report.verdicts.map((verdict) => testCase(report.file.name, verdict)).join('')}  </testsuite>\n`;
  });
  const { passed, failed } = countVerdicts(reports);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="schemac" tests="${passed + failed}" failures="${failed}">\n${suites.join('')}</testsuites>\n`;
}

function testCase(file: string, { line, name, mismatch }: Verdict): string {
  const head = `    <testcase classname="${escape(file)}" name="${escape(`line ${line}: ${name}`)}"`;
  if (mismatch === undefined) return `${head}/>\n`;
  return `${head}>\n      <failure message="${escape(mismatch.problem)}">${escape(details(mismatch))}</failure>\n    </testcase>\n`;
}

/** For reading in a browser; `--json` has the whole values. */
function details(mismatch: Mismatch): string {
  return [mismatch.problem, ...mismatchText(mismatch)].join('\n');
}

const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** XML allows only tab and line ends among control characters, not even escaped ones. */
function escape(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => named[character] ?? character)
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/[^\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
