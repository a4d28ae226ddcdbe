import type { Diagnostic } from '../../language/diagnostics/diagnostic.ts';
import type { Problem, StatementOutcome } from '../../server/session/outcome.ts';
import { reportDiagnostic } from '../report.ts';
import type { Output } from '../shell.ts';

/** Shows a statement's warnings and, of a failed one, its problems. */
export async function reportProblems(output: Output, outcome: StatementOutcome): Promise<void> {
  for (const warning of outcome.warnings) await reportDiagnostic(output, warning);
  if (outcome.kind !== 'error') return;
  for (const problem of outcome.problems) await reportDiagnostic(output, asDiagnostic(problem));
}

/** A failure at run time has no diagnostic of its own, and is shown like one. */
function asDiagnostic({ diagnostic, code, message, span }: Problem): Diagnostic {
  return diagnostic ?? { code, severity: 'error', message, span, related: [] };
}
