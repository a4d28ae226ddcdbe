import type { Call } from '../route.ts';

/** The caller of a command, if callers have names here. */
export function subjectOf({ options, caller }: Call): { readonly subject?: string } {
  return options.settings.auth === undefined ? {} : { subject: caller.subject };
}
