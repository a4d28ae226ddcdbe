import type { FunctionEntry } from '../entry.ts';
import { anyNullable } from '../signature.ts';
import { sqlCall } from '../typescript-text.ts';
import { BOOLEAN, commonTypeOf, isComparable, namesOf } from '../typing.ts';

/**
 * `x BETWEEN low AND high` with an x that must be evaluated once, such as random(), or is large. Any other is the two comparisons that it
 * stands for, which the planner can read.
 */
export const between: FunctionEntry = {
  name: 'between',
  usage: ['x BETWEEN low AND high'],
  volatility: 'immutable',
  resolve: (given) => {
    const type = given.length === 3 ? commonTypeOf(given) : undefined;
    return type === undefined || !isComparable(type)
      ? { problem: `BETWEEN cannot compare ${namesOf(given)}; CAST them to one type` }
      : { parameters: [type, type, type], result: BOOLEAN, nullable: anyNullable };
  },
  sqlite: ({ arguments: [x, low, high] }) => `(${x?.text} BETWEEN ${low?.text} AND ${high?.text})`,
  typescript: ({ arguments: given }) => sqlCall('between', ...given.map(({ text }) => text)),
};
