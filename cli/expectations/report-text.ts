import { createColors } from 'picocolors';
import { visibleText } from '../../compiler/diagnostics/render/visible.ts';
import type { ScriptReport } from './run-script.ts';
import type { Mismatch, Verdict } from './judge-script.ts';

/** A script's part of the report, for people: one line when all holds, else every mismatch. */
export function renderReport(report: ScriptReport, colour: boolean): string {
  const colours = createColors(colour);
  const failed = report.verdicts.filter(({ mismatch }) => mismatch !== undefined);
  const passed = report.verdicts.length - failed.length;
  const name = visibleText(report.file.name);
  const head =
    failed.length === 0
      ? `${colours.green('✓')} ${name}  ${passed} passed`
      : `${colours.red('✗')} ${name}  ${passed} passed, ${failed.length} failed`;
  return [head, ...failed.flatMap((verdict) => mismatchLines(name, verdict))].map((line) => `${line}\n`).join('');
}

function mismatchLines(file: string, { line, name, mismatch }: Verdict): readonly string[] {
  const { problem = '', expected, got }: Partial<Mismatch> = mismatch ?? {};
  return [
    `    ${file}:${line}  ${visibleText(name)}`,
    `      ${visibleText(problem)}`,
    ...(expected === undefined ? [] : [`      expected  ${visibleText(expected)}`]),
    ...(got === undefined ? [] : [`      got       ${visibleText(got)}`]),
  ];
}

/** `12 passed, 0 failed`, over all scripts. */
export function countVerdicts(reports: readonly ScriptReport[]): { readonly passed: number; readonly failed: number } {
  const verdicts = reports.flatMap((report) => report.verdicts);
  const failed = verdicts.filter(({ mismatch }) => mismatch !== undefined).length;
  return { passed: verdicts.length - failed, failed };
}
