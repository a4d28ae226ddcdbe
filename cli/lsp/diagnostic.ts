import { join } from 'node:path';
import { existsSync, readFileSync } from 'node:fs';
import { DiagnosticSeverity, type Diagnostic as ShownDiagnostic } from 'vscode-languageserver-protocol/node';
import type { Diagnostic } from '../../compiler/index.ts';
import { rangeOf } from './positions.ts';
import { packageFolder } from '../version.ts';
import { uriOfPath } from './file-uri.ts';

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

let places: ReadonlyMap<string, string> | undefined;

/** The address of a code's section in the page of codes, as editors open a line of a file. Undefined where the package has no documentation. */
function addressOfCode(code: string): string | undefined {
  places ??= readPlaces(join(packageFolder(), 'docs/codes.md'));
  return places.get(code);
}

function readPlaces(path: string): ReadonlyMap<string, string> {
  if (!existsSync(path)) return new Map();
  const lines = readFileSync(path, 'utf8').split('\n');
  return new Map(
    lines.flatMap((line, index): [string, string][] => {
      const code = /^### <a id="\w+"><\/a>(\w+) /.exec(line)?.[1];
      return code === undefined ? [] : [[code, `${uriOfPath(path)}#L${index + 1}`]];
    }),
  );
}
