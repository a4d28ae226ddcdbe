/** A text handed to the compiler, under the name that diagnostics show. */
export interface SourceFile {
  readonly name: string;
  readonly text: string;
  /** The line of its first character, where the text is a piece of another one; 1 without it. */
  readonly firstLine?: number;
}

/** A place as shown to people: both count from 1; `column` counts UTF-16 units, a tab is one. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

const lineStarts = new WeakMap<SourceFile, readonly number[]>();

function startsOf(file: SourceFile): readonly number[] {
  const known = lineStarts.get(file);
  if (known !== undefined) return known;
  const starts = [0];
  for (let at = file.text.indexOf('\n'); at >= 0; at = file.text.indexOf('\n', at + 1)) starts.push(at + 1);
  lineStarts.set(file, starts);
  return starts;
}

/** The place of an offset (0-based, in UTF-16 units); an offset past the end is the end. */
export function placeOf(file: SourceFile, offset: number): Place {
  const starts = startsOf(file);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + (file.firstLine ?? 1), column: Math.min(offset, file.text.length) - (starts[low] ?? 0) + 1 };
}

/** The text of a line (counted from 1), without its line end. */
export function lineText(file: SourceFile, line: number): string {
  const starts = startsOf(file);
  const index = line - (file.firstLine ?? 1);
  const start = starts[index] ?? file.text.length;
  const next = starts[index + 1] ?? file.text.length + 1;
  return file.text.slice(start, next - 1).replace(/\r$/, '');
}
