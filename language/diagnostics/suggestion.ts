const listed = 8;

/**
 * `; did you mean 'a'?` or `; did you mean 'a' or 'b'?` for nearest names; without any `; there is a, b, c`, the first eight known names;
 * else an empty text.
 */
export function suggestion(nearest: readonly string[], known: readonly string[] = []): string {
  if (nearest.length > 0) return `; did you mean ${nearest.map((name) => `'${name}'`).join(' or ')}?`;
  if (known.length === 0) return '';
  const more = known.length > listed ? ` and ${known.length - listed} more` : '';
  return `; there is ${known.slice(0, listed).join(', ')}${more}`;
}

/** The names that a message offers in the form of `suggestion`. */
export function offeredNames(message: string): readonly string[] {
  const offered = /; did you mean ('[^']+'(?: or '[^']+')?)\?/.exec(message)?.[1] ?? '';
  return Array.from(offered.matchAll(/'([^']+)'/g), ([, name = '']) => name);
}

/**
 * The names closest to `wanted` by edit distance (case ignored), best first, at most two, within a third of its length (at least 1, at most
 * 3 edits). Cost is bounded: names longer than 63 are never compared.
 */
export function nearestNames(wanted: string, known: Iterable<string>): readonly string[] {
  if (wanted.length > 63) return [];
  const limit = Math.min(3, Math.max(1, Math.floor(wanted.length / 3)));
  const lower = wanted.toLowerCase();
  const found: { name: string; distance: number }[] = [];
  for (const name of known) {
    if (Math.abs(name.length - wanted.length) > limit) continue;
    const distance = editDistance(lower, name.toLowerCase(), limit);
    // If every letter changed it is another name, however short.
    if (distance <= limit && distance < wanted.length) found.push({ name, distance });
  }
  found.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  const best = found[0]?.distance;
  return found
    .filter((f) => f.distance === best)
    .slice(0, 2)
    .map((f) => f.name);
}

/** Insertions, deletions, substitutions and swaps of neighbours, one edit each; past the limit some number beyond it. */
function editDistance(a: string, b: string, limit: number): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  let leastBefore = 0;
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : change;
      const cell = Math.min(change, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      if (cell < least) least = cell;
      next.push(cell);
    }
    // Later rows never fall below the best of the last two, because a swap reaches back over one.
    if (least > limit && leastBefore > limit) return limit + 1;
    leastBefore = least;
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
