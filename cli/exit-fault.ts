/** The exit statuses of the tool (docs/tool.md#the-command-line-tool): 0 done, 1 wrong input, 2 wrong usage, 3 error of the environment. */
export type ExitStatus = 0 | 1 | 2 | 3;

/** Ends the command with one line on stderr and a status; it is never a bug, so it is never shown with a stack. */
export class ExitFault extends Error {
  readonly status: Exclude<ExitStatus, 0>;
  constructor(status: Exclude<ExitStatus, 0>, message: string) {
    super(message);
    this.name = 'ExitFault';
    this.status = status;
  }
}

/** Unusable input: a missing file, a folder without schema files. */
export function inputFault(message: string): ExitFault {
  return new ExitFault(1, message);
}
export function usageFault(message: string): ExitFault {
  return new ExitFault(2, message);
}
/** An error of the machine: a port is taken, a directory locked, a disk full. */
export function environmentFault(message: string): ExitFault {
  return new ExitFault(3, message);
}
