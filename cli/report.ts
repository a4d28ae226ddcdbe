/** Diagnostics as a command shows them: frames on stderr for people, one document on stdout for programs. */
import type { Diagnostic } from '../language/diagnostics/diagnostic.ts';
import type { Output, Shell } from './shell.ts';

/** Writes each diagnostic as a frame, and their count. Nothing for an empty list. */
export async function reportDiagnostics(shell: Shell, diagnostics: readonly Diagnostic[]): Promise<void> {
  if (diagnostics.length === 0) return;
  const { countDiagnostics } = await import('../language/diagnostics/render.ts');
  for (const diagnostic of diagnostics) await reportDiagnostic(shell.messages, diagnostic);
  shell.messages.write(`${countDiagnostics(diagnostics)}\n`);
}

/** Writes one diagnostic as a frame. */
export async function reportDiagnostic(output: Output, diagnostic: Diagnostic): Promise<void> {
  const { renderDiagnostic } = await import('../language/diagnostics/render.ts');
  output.write(`${renderDiagnostic(diagnostic, { colour: output.colour, width: output.width() ?? 120 })}\n`);
}
