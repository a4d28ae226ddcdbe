/** Nothing was done, for a reason that each door says in its own form. */
export class Refused extends Error {
  readonly because:
    | 'no row'
    | 'no task'
    | 'nothing to send'
    | 'beyond the end'
    | 'not held'
    | 'no place'
    | 'not served'
    | 'not answered'
    | 'other delivery';
  constructor(because: Refused['because'], message: string) {
    super(message);
    this.name = 'Refused';
    this.because = because;
  }
}

export function requireWithin(end: number, position: number): void {
  if (position > end) throw new Refused('beyond the end', `the log ends at global_position ${end}, before ${position}`);
}
