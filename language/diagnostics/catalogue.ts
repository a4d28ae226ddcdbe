import type { CodeEntry } from './define.ts';
import { blocks } from './codes/blocks.ts';
import { callers } from './codes/callers.ts';
import { names } from './codes/names.ts';
import { reactions } from './codes/reactions.ts';
import { queries } from './codes/queries.ts';
import { sensitive } from './codes/sensitive.ts';
import { statements } from './codes/statements.ts';
import { stores } from './codes/stores.ts';
import { subscriptions } from './codes/subscriptions.ts';
import { syntax } from './codes/syntax.ts';
import { templates } from './codes/templates.ts';
import { types } from './codes/types.ts';
import { upcasts } from './codes/upcasts.ts';
import { validation } from './codes/validation.ts';

/** All diagnostic codes, by area. A code's first two digits are its area's file in `codes/`, except that `upcasts` has E044x, `reactions` E045x and `callers` E071x and E072x. */
export const catalogue = {
  ...syntax,
  ...names,
  ...types,
  ...blocks,
  ...upcasts,
  ...reactions,
  ...templates,
  ...queries,
  ...sensitive,
  ...callers,
  ...stores,
  ...statements,
  ...validation,
  ...subscriptions,
} as const;

export type Code = keyof typeof catalogue;
export type ParametersOf<C extends Code> = (typeof catalogue)[C] extends CodeEntry<infer P> ? P : never;
