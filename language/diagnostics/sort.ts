import type { SourceFile } from '../source/source-file.ts';
import { writtenSpan } from '../source/span.ts';
import type { Diagnostic } from './diagnostic.ts';

/** The errors that are shown of one compilation, unless asked otherwise (docs/language.md#scripts). */
export const usualErrors = 100;

/** Diagnostics in the order of the texts, each once, with at most `mostErrors` errors. */
export function sortedDiagnostics(
  diagnostics: readonly Diagnostic[],
  files: readonly SourceFile[],
  mostErrors = usualErrors,
): readonly Diagnostic[] {
  const order = new Map(files.map((file, index) => [file, index]));
  const place = (diagnostic: Diagnostic): readonly [number, number] => {
    const span = writtenSpan(diagnostic.span);
    return [order.get(span.file) ?? files.length, span.start];
  };
  const keyed = diagnostics.map((diagnostic) => ({ diagnostic, place: place(diagnostic) }));
  keyed.sort((a, b) => a.place[0] - b.place[0] || a.place[1] - b.place[1]);
  let errors = 0;
  return keyed.flatMap(({ diagnostic }) =>
    diagnostic.severity === 'error' && ++errors > mostErrors ? [] : [diagnostic],
  );
}
