import type { CompiledQuery } from '../language/contract/query.ts';

const explained = /substr\(M(AX|IN)\(\(1000000000000000000 |schemac_|-9e999|NOT BETWEEN -/;

/** A line for the comment above a query whose text needs an explanation; none for other queries. */
export function trickComment({ sqlite }: CompiledQuery): readonly string[] {
  return explained.test(sqlite.sql)
    ? ['`docs/debugging.md` in the package schemac explains how the SQL is written.']
    : [];
}
