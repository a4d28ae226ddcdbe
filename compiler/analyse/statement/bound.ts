import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import { orderDiagnostics } from '../incremental/change/order-diagnostics.ts';
import type { Bound } from '../environment/registry.ts';

/** Runs a binder and collects its reports; there is a value only when none of them is an error. */
export function boundWith<T>(bind: (report: (diagnostic: Diagnostic) => void) => T | undefined): Bound<T> {
  const found: Diagnostic[] = [];
  const value = bind((diagnostic) => found.push(diagnostic));
  const diagnostics = orderDiagnostics(found, []);
  const failed = diagnostics.some((diagnostic) => diagnostic.severity === 'error');
  return value === undefined || failed ? { diagnostics } : { value, diagnostics };
}
