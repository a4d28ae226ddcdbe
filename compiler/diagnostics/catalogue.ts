import type { CodeEntry } from './define.ts';
import { names } from './codes/names.ts';

/** Every diagnostic code there is, by area. A code's first two digits are its area's file in `codes/`. */
export const catalogue = { ...names } as const;

export type Code = keyof typeof catalogue;
export type ParametersOf<C extends Code> = (typeof catalogue)[C] extends CodeEntry<infer P> ? P : never;
