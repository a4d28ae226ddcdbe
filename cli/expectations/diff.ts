/**
 * The difference of two values as people read it: lines that begin with `-` (expected), `+` (got) or a space (both). Takes canonical JSON
 * texts, gives a bounded number of bounded lines; never decides whether something differs.
 */
import { isList, isObject, readExactJson, canonicalText } from './exact-json.ts';
import type { JsonValue } from '../../language/values/json.ts';

/** Lines before and after a difference that are shown with it. */
const around = 2;
/** Maximum number of lines shown. */
const mostLines = 40;
const mostCharacters = 160;
/** Maximum size of the comparison table. Beyond it, all lines between the equal ends count as different. */
const mostCells = 4_000_000;

type Line = readonly [sign: '-' | '+' | ' ', text: string];

export function diffTexts(expected: string, got: string): readonly string[] {
  const lines = compare(jsonLines(expected), jsonLines(got));
  const near = new Set(
    lines.flatMap(([sign], at) =>
      sign === ' ' ? [] : Array.from({ length: 2 * around + 1 }, (_, offset) => at + offset - around),
    ),
  );
  const shown: string[] = [];
  lines.forEach(([sign, text], at) => {
    if (near.has(at)) shown.push(`${sign} ${text}`);
    else if (near.has(at - 1)) shown.push('  …');
  });
  const cut = fitPairs(shown.slice(0, mostLines));
  return shown.length > mostLines ? [...cut, `  … and ${shown.length - mostLines} more lines`] : cut;
}

/** Writes a row or a member per line, long ones member by member; text that is not JSON stays unchanged. */
function jsonLines(text: string): readonly string[] {
  try {
    const value = readExactJson(text);
    return isList(value) || isObject(value) ? valueLines(value, '') : [text];
  } catch (error) {
    if (error instanceof SyntaxError) return text.split('\n');
    throw error;
  }
}

function valueLines(value: JsonValue, indent: string): readonly string[] {
  if (isList(value)) return value.flatMap((item) => memberLines(indent, '', item));
  if (!isObject(value)) return [`${indent}${canonicalText(value)}`];
  return [...value]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, member]) => memberLines(indent, `${JSON.stringify(key)}: `, member));
}

function memberLines(indent: string, label: string, value: JsonValue): readonly string[] {
  const text = canonicalText(value);
  const isDeep = isObject(value) || (isList(value) && value.some((item) => isObject(item) || isList(item)));
  if (!isDeep || text.length <= mostCharacters / 2) return [`${indent}${label}${text}`];
  const [open, close] = isList(value) ? ['[', ']'] : ['{', '}'];
  return [`${indent}${label}${open}`, ...valueLines(value, `${indent}  `), `${indent}${close}`];
}

/** The fewest lines to remove and to add. */
function compare(before: readonly string[], after: readonly string[]): readonly Line[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const same = (lines: readonly string[]): readonly Line[] => lines.map((text) => [' ', text]);
  return [
    ...same(before.slice(0, head)),
    ...compareMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ];
}

function compareMiddle(before: readonly string[], after: readonly string[]): readonly Line[] {
  const width = after.length + 1;
  if ((before.length + 1) * width > mostCells)
    return [...before.map((text): Line => ['-', text]), ...after.map((text): Line => ['+', text])];
  /** Length of the longest common part of the remaining lines. */
  const common = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number): number => common[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old = '', next = ''] = [before[row], after[column]];
    if (row < before.length && column < after.length && old === next) {
      lines.push([' ', old]);
      row += 1;
      column += 1;
    } else if (row < before.length && (column === after.length || at(row + 1, column) >= at(row, column + 1))) {
      lines.push(['-', old]);
      row += 1;
    } else {
      lines.push(['+', next]);
      column += 1;
    }
  }
  return lines;
}

/** Cuts long lines, a pair of them around the first difference. */
function fitPairs(lines: readonly string[]): readonly string[] {
  return lines.map((line, at) => {
    const other = line.startsWith('-') ? lines[at + 1] : lines[at - 1];
    const isPair = line.startsWith('-') ? other?.startsWith('+') : line.startsWith('+') && other?.startsWith('-');
    return fitLine(line, isPair === true && other !== undefined ? firstDifference(line, other) : 0);
  });
}

function firstDifference(a: string, b: string): number {
  let at = 1;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

function fitLine(line: string, place: number): string {
  if (line.length <= mostCharacters) return line;
  const from = Math.max(2, Math.min(place - mostCharacters / 2, line.length - mostCharacters));
  const part = line.slice(from, from + mostCharacters);
  const before = from > 2 ? '…' : '';
  const after = from + mostCharacters < line.length ? '…' : '';
  return `${line.slice(0, 2)}${before}${part}${after} (${line.length - 2} characters)`;
}
