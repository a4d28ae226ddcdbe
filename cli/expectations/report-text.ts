import { createColors } from 'picocolors';
import { visibleText } from '../../language/diagnostics/render/visible.ts';
import { diffTexts } from './diff.ts';
import type { ScriptReport } from './run-script.ts';
import type { Mismatch, Verdict } from './judge-script.ts';

type Colours = ReturnType<typeof createColors>;

/** A script's part of the report, for people: one line if all expectations hold, else every mismatch. */
export function renderReport(report: ScriptReport, colour: boolean): string {
  const colours = createColors(colour);
  const failed = report.verdicts.filter(({ mismatch }) => mismatch !== undefined);
  const passed = report.verdicts.length - failed.length;
  const name = visibleText(report.file.name);
  const head =
    failed.length === 0
      ? `${colours.green('✓')} ${name}  ${passed} passed`
      : `${colours.red('✗')} ${name}  ${passed} passed, ${failed.length} failed`;
  return [head, ...failed.flatMap((verdict) => mismatchLines(name, verdict, colours))]
    .map((line) => `${line}\n`)
    .join('');
}

/** A mismatch line by line: `-` is expected, `+` was received. */
export function mismatchText({ expected, got }: Mismatch): readonly string[] {
  return expected === undefined || got === undefined ? [] : diffTexts(expected, got).map(visibleText);
}

function mismatchLines(file: string, { line, name, mismatch }: Verdict, colours: Colours): readonly string[] {
  if (mismatch === undefined) return [];
  return [
    `    ${file}:${line}  ${visibleText(name)}`,
    `      ${visibleText(mismatch.problem)}`,
    ...mismatchText(mismatch).map((text) => `        ${coloured(text, colours)}`),
  ];
}

function coloured(text: string, colours: Colours): string {
  if (text.startsWith('-')) return colours.red(text);
  return text.startsWith('+') ? colours.green(text) : text;
}

/** `12 passed, 0 failed`, over all scripts. */
export function countVerdicts(reports: readonly ScriptReport[]): { readonly passed: number; readonly failed: number } {
  const verdicts = reports.flatMap((report) => report.verdicts);
  const failed = verdicts.filter(({ mismatch }) => mismatch !== undefined).length;
  return { passed: verdicts.length - failed, failed };
}
