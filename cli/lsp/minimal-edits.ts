/** A replacement in a text; offsets are UTF-16 units. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * Edits between two texts, line by line, so that a cursor elsewhere stays where it is: few, but not the fewest. Finds equal lines at both
 * ends, and then in the same order. Cost is bounded: the middle of very different texts is replaced whole.
 */
export function minimalEdits(from: string, to: string): readonly TextChange[] {
  if (from === to) return [];
  const [before, after] = [linesOf(from), linesOf(to)];
  let first = 0;
  while (first < before.length && first < after.length && before[first] === after[first]) first++;
  let last = 0;
  const most = Math.min(before.length, after.length) - first;
  while (last < most && before[before.length - 1 - last] === after[after.length - 1 - last]) last++;
  const changes: TextChange[] = [];
  const [old, made] = [before.slice(first, before.length - last), after.slice(first, after.length - last)];
  let at = lengthOf(before.slice(0, first));
  let [oldAt, madeAt] = [0, 0];
  for (const [oldIndex, madeIndex] of [...sameLines(old, made), [old.length, made.length] as const]) {
    const gone = lengthOf(old.slice(oldAt, oldIndex));
    const text = made.slice(madeAt, madeIndex).join('');
    if (gone > 0 || text !== '') changes.push({ start: at, end: at + gone, text });
    at += gone + (old[oldIndex]?.length ?? 0);
    oldAt = oldIndex + 1;
    madeAt = madeIndex + 1;
  }
  return changes;
}

/** Each with its line end. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length, 0);
}

const mostCompared = 4_000_000;

/** The pairs of a longest common subsequence, in order. */
function sameLines(old: readonly string[], made: readonly string[]): readonly (readonly [number, number])[] {
  if (old.length * made.length > mostCompared) return [];
  const width = made.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = made.length - 1; j >= 0; j--)
      lengths[i * width + j] = old[i] === made[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pairs: [number, number][] = [];
  for (let [i, j] = [0, 0]; i < old.length && j < made.length;) {
    if (old[i] === made[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
