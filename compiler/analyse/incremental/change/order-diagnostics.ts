import type { SourceFile } from '../../../../language/source/source-file.ts';
import type { Diagnostic } from '../../../../language/diagnostics/diagnostic.ts';
import { usualErrors } from '../../../../language/diagnostics/sort.ts';

/**
 * Source order, files in the given order, at most `mostErrors` errors; repeated diagnostics in one place are merged
 * (docs/language.md#scripts).
 */
export function orderDiagnostics(
  diagnostics: readonly Diagnostic[],
  files: readonly SourceFile[],
  mostErrors = usualErrors,
): readonly Diagnostic[] {
  const rank = new Map(files.map((file, index) => [file, index]));
  const rankOf = (file: SourceFile): number => rank.get(file) ?? files.length;
  const sorted = [...diagnostics].sort(
    (a, b) => rankOf(a.span.file) - rankOf(b.span.file) || a.span.start - b.span.start || a.span.end - b.span.end,
  );
  const seen = new Set<string>();
  let errors = 0;
  return sorted.filter((diagnostic) => {
    const { span, code, message } = diagnostic;
    const key = `${rankOf(span.file)} ${span.start} ${span.end} ${code} ${message} ${span.applied?.start ?? ''}`;
    if (seen.has(key)) return false;
    seen.add(key);
    if (diagnostic.severity === 'error') errors++;
    return errors <= mostErrors;
  });
}
