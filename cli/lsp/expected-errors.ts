import type { CheckedStatement } from '../../compiler/check-script.ts';
import type { Diagnostic, SourceFile } from '../../compiler/index.ts';
import { placeOf } from '../../language/source/source-file.ts';
import { readExpectations } from '../expectations/expectation.ts';

/** The diagnostics of a script without those that it expects: a statement with `--= error` must fail. */
export function unexpectedDiagnostics(
  file: SourceFile,
  statements: readonly CheckedStatement[],
): readonly Diagnostic[] {
  const starts = statements.map(({ span }) => placeOf(file, span.start).line);
  const refused = new Set<number>();
  for (const { line, word } of readExpectations(file.text))
    if (word === 'error') refused.add(starts.findLastIndex((start) => start <= line));
  return statements.flatMap(({ diagnostics }, index) => (refused.has(index) ? [] : diagnostics));
}
