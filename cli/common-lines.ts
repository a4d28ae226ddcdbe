/** Beyond this many pairs of lines, nothing between the equal ends counts as common. */
const mostPairs = 4_000_000;

/** The places of the lines that two texts have in common, in order: the equal ends, and a longest common part between them. */
export function commonLines(
  before: readonly string[],
  after: readonly string[],
): readonly (readonly [before: number, after: number])[] {
  let first = 0;
  while (first < before.length && first < after.length && before[first] === after[first]) first++;
  let last = 0;
  const most = Math.min(before.length, after.length) - first;
  while (last < most && before[before.length - 1 - last] === after[after.length - 1 - last]) last++;
  const middle = longestCommon(before.slice(first, before.length - last), after.slice(first, after.length - last));
  return [
    ...Array.from({ length: first }, (_, at) => [at, at] as const),
    ...middle.map(([old, made]) => [old + first, made + first] as const),
    ...Array.from({ length: last }, (_, at) => [before.length - last + at, after.length - last + at] as const),
  ];
}

function longestCommon(before: readonly string[], after: readonly string[]): readonly (readonly [number, number])[] {
  if (before.length * after.length > mostPairs) return [];
  const width = after.length + 1;
  /** Length of the longest common part of the remaining lines. */
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pairs: [number, number][] = [];
  for (let [i, j] = [0, 0]; i < before.length && j < after.length;) {
    if (before[i] === after[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
