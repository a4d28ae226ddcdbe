import { commonLines } from '../common-lines.ts';

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
  const changes: TextChange[] = [];
  let [at, oldAt, madeAt] = [0, 0, 0];
  for (const [oldIndex, madeIndex] of [...commonLines(before, after), [before.length, after.length] as const]) {
    const gone = lengthOf(before.slice(oldAt, oldIndex));
    const text = after.slice(madeAt, madeIndex).join('');
    if (gone > 0 || text !== '') changes.push({ start: at, end: at + gone, text });
    at += gone + (before[oldIndex]?.length ?? 0);
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
