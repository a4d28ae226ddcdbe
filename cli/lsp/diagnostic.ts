import { DiagnosticSeverity, type Diagnostic as ShownDiagnostic } from 'vscode-languageserver-protocol/node';
import type { Diagnostic } from '../../compiler/index.ts';
import { addressOfCode } from './code-page.ts';
import { rangeOf } from './positions.ts';

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const satisfies Readonly<Record<Diagnostic['severity'], DiagnosticSeverity>>;

/** A diagnostic in the form of the protocol: its code, message, ranges and second ranges are those of `check`; the code leads to its explanation. */
export function shownDiagnostic(diagnostic: Diagnostic, uriOf: (name: string) => string): ShownDiagnostic {
  const { code, severity, message, span, related } = diagnostic;
  const href = addressOfCode(code);
  return {
    range: rangeOf(span),
    severity: severities[severity],
    code,
    ...(href === undefined ? {} : { codeDescription: { href } }),
    source: 'schemac',
    message,
    ...(related.length === 0
      ? {}
      : {
          relatedInformation: related.map((second) => ({
            location: { uri: uriOf(second.span.file.name), range: rangeOf(second.span) },
            message: second.message,
          })),
        }),
  };
}
