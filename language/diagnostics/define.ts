import type { Severity } from './diagnostic.ts';

/** An entry of the catalogue of codes; `docs/codes.md` explains each code. `P` types the parameters of a report. */
export interface CodeEntry<P> {
  readonly severity: Severity;
  /** A single sentence that names the offending thing and, where useful, the allowed values. */
  readonly message: (parameters: P) => string;
}

type Define = <P = Record<string, never>>(message: (parameters: P) => string) => CodeEntry<P>;

/** Give an entry its parameter type: `error<{ name: string }>((p) => …)`. */
export const error: Define = (message) => ({ severity: 'error', message });
export const warning: Define = (message) => ({ severity: 'warning', message });
export const info: Define = (message) => ({ severity: 'info', message });
