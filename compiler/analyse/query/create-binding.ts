import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { Environment } from '../environment/environment.ts';
import type { Binding } from './binding.ts';

/** A binding of schema text by default: marks follow values, and only the registry is in scope. */
export function createBinding(environment: Environment, report: Report, more: Partial<Binding> = {}): Binding {
  let ids = 0;
  return {
    environment,
    report,
    nextId: () => ids++,
    rebinds: { left: 100 },
    compared: { left: 5_000 },
    counted: { read: 0, starred: 0 },
    spans: new WeakMap(),
    sensitivity: 'marks',
    tables: [],
    ...more,
  };
}
