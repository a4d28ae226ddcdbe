import { commands } from './codes/commands.ts';
import { evaluation } from './codes/evaluation.ts';
import { queries } from './codes/queries.ts';
import { reactions } from './codes/reactions.ts';
import { registry } from './codes/registry.ts';
import { stores } from './codes/stores.ts';

/**
 * R-codes: failures at run time; `language/diagnostics/codes/` lists failures of compilation. A code's first two digits are its area's file
 * in `codes/`.
 */
export const failures = {
  ...commands,
  ...evaluation,
  ...queries,
  ...stores,
  ...registry,
  ...reactions,
} as const;

export type FailureCode = keyof typeof failures;
