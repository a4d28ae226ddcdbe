import type { Severity } from './diagnostic.ts';

/** An entry of the catalogue of codes. `P` types the parameters of a report. */
export interface CodeEntry<P> {
  readonly severity: Severity;
  /** A few words, for lists and `schemac explain`. */
  readonly title: string;
  /** A single sentence that names the offending thing and, where useful, the allowed values. */
  readonly message: (parameters: P) => string;
  /** A paragraph for `schemac explain`: why it is refused and how to correct it. */
  readonly explanation: string;
  /** A small text that is refused with this code; a test compiles it. After a line `-- console` it is a query over HTTP. */
  readonly example?: string;
  /** The occasion on which the code is raised, where no short text raises it: each code has this or an example. */
  readonly takes?: string;
}

/** Gives one entry its parameter type: `entry<{ name: string }>({ … })`. */
export function entry<P>(definition: CodeEntry<P>): CodeEntry<P> {
  return definition;
}
