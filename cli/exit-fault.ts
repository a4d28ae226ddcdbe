/** How the tool may end (cli.md): 0 done, 1 the input is at fault, 2 wrong usage, 3 the environment is at fault. */
export type ExitStatus = 0 | 1 | 2 | 3;

/** Ends the command with one line on stderr and a status; never a bug of ours, so never shown with a stack. */
export class ExitFault extends Error {
  readonly status: Exclude<ExitStatus, 0>;
  constructor(status: Exclude<ExitStatus, 0>, message: string) {
    super(message);
    this.name = 'ExitFault';
    this.status = status;
  }
}

/** What the user gave cannot be worked with: a missing file, a folder without schema files. */
export function inputFault(message: string): ExitFault {
  return new ExitFault(1, message);
}
export function usageFault(message: string): ExitFault {
  return new ExitFault(2, message);
}
/** The machine refuses: a port taken, a directory locked, a disk full. */
export function environmentFault(message: string): ExitFault {
  return new ExitFault(3, message);
}
