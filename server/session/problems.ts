import type { Diagnostic } from '../../language/diagnostics/diagnostic.ts';
import { writtenSpan } from '../../language/source/span.ts';
import type { ErrorResult, Problem } from './outcome.ts';

/** The errors among `diagnostics` as a statement's outcome. */
export function errorOf(diagnostics: readonly Diagnostic[]): ErrorResult {
  const problems = diagnostics
    .filter((diagnostic) => diagnostic.severity === 'error')
    .map((diagnostic): Problem => ({
      code: diagnostic.code,
      message: diagnostic.message,
      span: writtenSpan(diagnostic.span),
      diagnostic,
    }));
  return { kind: 'error', problems };
}
