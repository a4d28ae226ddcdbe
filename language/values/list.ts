/** Lists: comparison with any element, length, and text. */
import { or, type Truth } from './boolean.ts';
import { compareValues } from './compare.ts';
import type { Type, Value } from './type.ts';

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** `value <comparison> ANY(list)` by SQL's rules: NULL when no element compares true and a NULL is involved. */
export function compareAny(
  comparison: Comparison,
  value: Value,
  type: Type,
  list: readonly Value[] | null,
  elements: Type,
): Truth {
  if (list === null) return null;
  let found: Truth = false;
  for (const element of list) {
    found = or(
      found,
      value === null || element === null ? null : holds(comparison, compareValues(value, type, element, elements)),
    );
    if (found === true) return true;
  }
  return found;
}

function holds(comparison: Comparison, order: number): boolean {
  switch (comparison) {
    case '=':
      return order === 0;
    case '<>':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

export function cardinality(list: readonly Value[]): number {
  return list.length;
}
