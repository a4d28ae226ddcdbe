/** The work of a start that grows with the log: its progress, and a way to end it before it is done. */
export interface LogWork {
  readonly kind: 'check' | 'heads' | 'build';
  readonly done: number;
  readonly of: number;
  readonly unit: 'MiB' | 'entries';
}

/** The caller of a start that may take long. */
export interface Opening {
  /** Called after each piece of work. */
  readonly reached: (work: LogWork) => void;
  /** Once it is aborted, the store is not opened: opening fails with its reason, and its directory is free again. */
  readonly signal: AbortSignal;
}

const subjects = {
  check: 'the log is checked',
  heads: 'heads of streams and command ids are read from the log',
  build: 'the read model is built from the log',
} as const satisfies Record<LogWork['kind'], string>;

/** A clause: "the log is checked: 5 of 40 MiB". */
export function logWorkText({ kind, done, of, unit }: LogWork): string {
  return `${subjects[kind]}: ${done} of ${of} ${unit}`;
}

/** Reports the work done so far; throws when the caller has given up. */
export function step(opening: Opening | undefined, work: LogWork): void {
  if (opening === undefined) return;
  opening.reached(work);
  opening.signal.throwIfAborted();
}
