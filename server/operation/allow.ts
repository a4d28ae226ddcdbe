import type { Caller } from './caller.ts';
import { may } from './rights.ts';

/** The caller lacks a right. Each door answers it in its own form. */
export class RightMissing extends Error {
  readonly right: string;
  constructor(right: string, message: string) {
    super(message);
    this.name = 'RightMissing';
    this.right = right;
  }
}

/** Refuses a caller who lacks a right; the only place that does. `because` is asked why it is needed, where a right alone does not tell. */
export function allow(caller: Caller, right: string, because?: () => string): void {
  if (!may(caller, right)) throw new RightMissing(right, because?.() ?? `this needs the right '${right}'`);
}
