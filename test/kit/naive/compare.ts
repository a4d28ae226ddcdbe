import { compareSame, type Comparable } from '../../../language/values/compare.ts';
import { intervalLength } from '../../../language/values/interval.ts';
import type { Value } from '../../../language/values/type.ts';

/** Equal texts for values that GROUP BY, DISTINCT and set operations treat as equal; NULLs are equal. */
export function identity(values: readonly Value[]): string {
  return JSON.stringify(values.map(plain));
}

const interval = /^-?\d+ (?:year|mon|day)s?(?: |$)|^-?\d{2,}:\d\d:\d\d/;

/** By what a value that is not NULL is compared: an INTERVAL by its length. Its text shows that it is one, because no other value of a test is written so. */
export function comparedBy(value: Value): Comparable {
  return typeof value === 'string' && interval.test(value) ? intervalLength(value) : (value as Comparable);
}

function plain(value: Value): unknown {
  if (typeof value === 'string') {
    const compared = comparedBy(value);
    return typeof compared === 'bigint' ? [`${compared} µs`] : compared;
  }
  if (typeof value === 'bigint') return [value.toString()];
  if (Array.isArray(value)) return (value as readonly Value[]).map(plain);
  if (value instanceof Map)
    return [...(value as ReadonlyMap<string, Value>)].map(([name, item]) => [name, plain(item)]);
  return value === 0 ? 0 : value;
}

export interface SortRule {
  readonly direction: 'ASC' | 'DESC';
  readonly nulls: 'FIRST' | 'LAST';
}

/** Negative if `a` comes before `b`. */
export function compareKeys(a: readonly Value[], b: readonly Value[], rules: readonly SortRule[]): number {
  for (const [index, rule] of rules.entries()) {
    const order = compareKey(a[index] ?? null, b[index] ?? null, rule);
    if (order !== 0) return order;
  }
  return 0;
}

function compareKey(a: Value, b: Value, { direction, nulls }: SortRule): number {
  if (a === null && b === null) return 0;
  if (a === null) return nulls === 'FIRST' ? -1 : 1;
  if (b === null) return nulls === 'FIRST' ? 1 : -1;
  const order = compareSame(comparedBy(a), comparedBy(b));
  return direction === 'ASC' ? order : -order;
}
