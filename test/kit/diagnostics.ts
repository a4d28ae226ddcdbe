import * as assert from 'uvu/assert';
import type { Diagnostic } from '../../language/diagnostics/diagnostic.ts';
import type { Marked } from './marked.ts';
import { showSpan } from './marked.ts';

/** A finding as a line: `E0201 1:27-1:31 "Tonk" there is no aggregate 'Tonk'`. */
export function showDiagnostic(diagnostic: Diagnostic): string {
  return `${diagnostic.code} ${showSpan(diagnostic.span)} ${diagnostic.message}`;
}

/**
 * Holds the whole list of findings against the marks of the source: the first finding is at the first mark, and so on. Each of
 * `expected` is a code, or a code and the whole message: `E0201` or `E0201 there is no aggregate 'Tonk'`.
 */
export function assertDiagnostics(actual: readonly Diagnostic[], source: Marked, expected: readonly string[]): void {
  const found = actual.map((diagnostic, index) => {
    const code =
      expected[index]?.includes(' ') === false ? diagnostic.code : `${diagnostic.code} ${diagnostic.message}`;
    return `${showSpan(diagnostic.span)} ${code}`;
  });
  const wanted = expected.map((text, index) => {
    const span = source.spans[index];
    return `${span === undefined ? `(no mark ${index + 1} in the source)` : showSpan(span)} ${text}`;
  });
  assert.equal(found, wanted);
}

/** `assertDiagnostics` for a source that must be accepted: shows the findings. */
export function assertNoDiagnostics(actual: readonly Diagnostic[]): void {
  assert.equal(actual.map(showDiagnostic), []);
}
