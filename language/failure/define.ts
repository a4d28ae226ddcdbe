/** The kind of a failure. The HTTP layer maps kinds, never single codes, to a status. */
export type FailureKind =
  /** The caller's input is wrong. */
  | 'input'
  /** The caller's credentials say something that cannot be used. */
  | 'credentials'
  /** A named thing does not exist. */
  | 'missing'
  /** Known, but not allowed here (read-only mode, another aggregate's decision). */
  | 'forbidden'
  /** The schema fails on this data: division by zero, overflow, two state rows. */
  | 'schema'
  /** The stream is not at `expected_seq`. */
  | 'expected-seq'
  /** A command id was used again with other arguments. */
  | 'reused-id'
  /** A query went past its time, row, byte or memory budget. */
  | 'budget'
  /** A queue is full. */
  | 'busy'
  /** The store cannot write, or the outcome of a write is unknown. */
  | 'store';

/** An entry of the catalogue of failures; `docs/codes.md` explains each code. `P` types the parameters of a report. */
export interface FailureEntry<P> {
  readonly kind: FailureKind;
  readonly title: string;
  readonly message: (parameters: P) => string;
}

export function failure<P = Record<string, never>>(
  kind: FailureKind,
  title: string,
  message: (parameters: P) => string,
): FailureEntry<P> {
  return { kind, title, message };
}
