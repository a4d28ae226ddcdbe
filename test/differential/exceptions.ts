import type { Answer } from './engines.ts';

interface Exception {
  readonly name: string;
  readonly holds: (query: string, ours: Answer, postgres: Answer) => boolean;
}

/** Accepted differences of the two engines, each explained in docs/language.md. At most ten. */
export const exceptions: readonly Exception[] = [
  {
    name: 'EXISTS computes no columns',
    holds: (query, ours, postgres) => query.includes('EXISTS (SELECT') && 'rows' in ours && 'failed' in postgres,
  },
  {
    name: 'a subquery of several rows that no result needs may be computed or not',
    holds: (_, ours, postgres) =>
      ('rows' in ours && 'failed' in postgres && postgres.failed === '21000') ||
      ('rows' in postgres && 'failed' in ours && ours.failed === 'R0208'),
  },
  {
    name: 'a sum of BIGINTs is a BIGINT, and a DECIMAL has 18 digits',
    holds: (query, ours, postgres) =>
      /SUM|UNION|INTERSECT|EXCEPT/.test(query) && 'rows' in postgres && 'failed' in ours && ours.failed === 'R0202',
  },
];

export function exceptionFor(query: string, ours: Answer, postgres: Answer): string | undefined {
  return exceptions.find(({ holds }) => holds(query, ours, postgres))?.name;
}
