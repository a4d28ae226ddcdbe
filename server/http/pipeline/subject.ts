import type { Call } from '../route.ts';

/** The caller of a command, if callers are distinguished here and this one has a name. */
export function subjectOf({ caller: { subject, identity } }: Pick<Call, 'caller'>): { readonly subject?: string } {
  return identity === undefined || subject === null ? {} : { subject };
}
