import type { Answer } from './engines.ts';

interface Exception {
  readonly name: string;
  readonly holds: (query: string, ours: Answer, postgres: Answer) => boolean;
}

/** Where the two may differ; each is said in docs/language.md. At most ten. */
export const exceptions: readonly Exception[] = [
  {
    name: 'EXISTS computes no columns',
    holds: (query, ours, postgres) => query.includes('EXISTS (SELECT') && 'rows' in ours && 'failed' in postgres,
  },
];

export function exceptionFor(query: string, ours: Answer, postgres: Answer): string | undefined {
  return exceptions.find(({ holds }) => holds(query, ours, postgres))?.name;
}
