import type { Diagnostic } from './diagnostic.ts';

/** Whether the text may not be used: any of its diagnostics is an error. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}
