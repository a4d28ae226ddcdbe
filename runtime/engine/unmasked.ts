import type { Raw } from './raw.ts';

/** The value itself, for work that shows it to no caller. `test/architecture/rules.ts` lists the files that may import this. */
export function unmasked<T>(value: Raw<T>): T {
  return value as unknown as T;
}
