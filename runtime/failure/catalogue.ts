/** What kind of trouble a failure is; the HTTP layer maps this, never single codes, to a status. */
export type FailureKind =
  /** The caller's input is at fault. */
  | 'input'
  /** What was named does not exist. */
  | 'missing'
  /** Known, but not allowed here (read-only mode, another aggregate's decision). */
  | 'forbidden'
  /** The schema's own fault on this data: division by zero, overflow, two state rows. */
  | 'schema'
  /** `expected_seq` did not hold. */
  | 'expected-seq'
  /** A command id was used again with other arguments. */
  | 'reused-id'
  /** A query went past its time, row, byte or memory budget. */
  | 'budget'
  /** Too much waits. */
  | 'busy'
  /** The store cannot take writes; the outcome of what was under way is unknown. */
  | 'store';

export interface FailureEntry<P> {
  readonly kind: FailureKind;
  readonly title: string;
  readonly message: (parameters: P) => string;
  readonly explanation: string;
}

function failure<P>(entry: FailureEntry<P>): FailureEntry<P> {
  return entry;
}

/** R-codes: what can fail while running, as `compiler/diagnostics/codes/` is what can fail while compiling. */
export const failures = {
  R0101: failure<{ command: string; field: string; takes: string }>({
    kind: 'input',
    title: 'missing argument',
    message: (p) => `${p.command}: argument '${p.field}' is missing; it takes ${p.takes}`,
    explanation: 'A required argument was not given. Arguments are optional only where the command says NULL or DEFAULT.',
  }),
  R0102: failure<{ command: string; field: string; known: readonly string[] }>({
    kind: 'input',
    title: 'unknown argument',
    message: (p) => `${p.command} has no argument '${p.field}'; it takes ${p.known.length > 0 ? p.known.join(', ') : 'none'}`,
    explanation: 'An argument was given that the command does not declare.',
  }),
  R0103: failure<{ command: string; field: string; takes: string; given: string }>({
    kind: 'input',
    title: 'ill-typed argument',
    message: (p) => `${p.command}: argument '${p.field}' takes ${p.takes}, not ${p.given}`,
    explanation: 'The value does not fit the declared type. Nothing is rounded, cut or converted silently on input.',
  }),
  R0201: failure<{ where: string }>({
    kind: 'schema',
    title: 'division by zero',
    message: (p) => `division by zero${p.where === '' ? '' : ` in ${p.where}`}`,
    explanation: 'An expression divided by zero, or took a remainder by zero. Guard the divisor with NULLIF or a CASE.',
  }),
  R0202: failure<{ type: string; where: string }>({
    kind: 'schema',
    title: 'value out of range',
    message: (p) => `a value does not fit ${p.type}${p.where === '' ? '' : ` in ${p.where}`}`,
    explanation: 'The exact result of an expression is larger than its type can hold. Nothing is written.',
  }),
  R0203: failure<{ decision: string; rows: number }>({
    kind: 'schema',
    title: 'state query with several rows',
    message: (p) => `the STATE of decision '${p.decision}' has ${p.rows} rows; it must have one at most, and nothing was written`,
    explanation: 'A decision looks at one row of state. Add a WHERE that picks one stream, or aggregate.',
  }),
  R0204: failure<{ what: string; type: string }>({
    kind: 'schema',
    title: 'invalid conversion',
    message: (p) => `${p.what} is no ${p.type}`,
    explanation: 'A CAST met a text that does not spell a value of the target type.',
  }),
  R0205: failure<{ function: string; problem: string }>({
    kind: 'schema',
    title: 'invalid function argument',
    message: (p) => `${p.function}: ${p.problem}`,
    explanation: 'A function was called with a value that it is not defined for, such as SQRT of a negative number.',
  }),
} as const;

export type FailureCode = keyof typeof failures;
