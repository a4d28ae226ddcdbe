/**
 * Gives the previous objects again wherever the next value has equal data, so that results computed from them can be
 * reused: an equal value is the previous one itself. For plain data that is never modified.
 */
export function createKept<T>(): (next: T) => T {
  let last: unknown;
  return (next) => {
    const kept = keepEqual(last, next) as T; // equal data of the same shape
    last = kept;
    return kept;
  };
}

function keepEqual(last: unknown, next: unknown): unknown {
  if (last === next || typeof last !== 'object' || typeof next !== 'object') return next;
  if (last === null || next === null || Array.isArray(last) !== Array.isArray(next)) return next;
  return Array.isArray(last) ? keepItems(last, next as readonly unknown[]) : keepProperties(last, next);
}

/** Considers the order of properties, because they are printed in it. */
function keepProperties(last: object, next: object): object {
  const before = Object.entries(last);
  const entries = Object.entries(next).map(([key, value], index) => {
    const [lastKey, lastValue] = before[index] ?? [];
    return [key, key === lastKey ? keepEqual(lastValue, value) : value] as const;
  });
  const isSame = ([key, value]: readonly [string, unknown], index: number): boolean =>
    key === before[index]?.[0] && value === before[index][1];
  return entries.length === before.length && entries.every(isSame) ? last : Object.fromEntries(entries);
}

/**
 * Compares items from the start while they are equal, then each at the same distance from the end: items were added or
 * removed between.
 */
function keepItems(last: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  const equal = next.findIndex((item, index) => index >= last.length || keepEqual(last[index], item) !== last[index]);
  const from = equal === -1 ? next.length : equal;
  if (from === last.length && from === next.length) return last;
  const shift = last.length - next.length;
  const rest = next.slice(from).map((item, index) => {
    const at = from + index + shift;
    return at < from ? item : keepEqual(last[at], item);
  });
  return [...last.slice(0, from), ...rest];
}
