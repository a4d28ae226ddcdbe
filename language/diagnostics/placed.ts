import type { Span } from '../source/span.ts';
import type { Diagnostic } from './diagnostic.ts';

/** The diagnostic with all its spans where `placed` puts them. */
export function placedDiagnostic(diagnostic: Diagnostic, placed: (span: Span) => Span): Diagnostic {
  const { span, related, fix } = diagnostic;
  return {
    ...diagnostic,
    span: placed(span),
    related: related.map((each) => ({ ...each, span: placed(each.span) })),
    ...(fix === undefined ? {} : { fix: { ...fix, span: placed(fix.span) } }),
  };
}
