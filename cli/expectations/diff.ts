/**
 * The difference of two values as people read it: lines that begin with `-` (expected), `+` (got) or a space (both). Takes canonical JSON
 * texts, gives a bounded number of bounded lines; never decides whether something differs.
 */
import { commonLines } from '../common-lines.ts';
import { canonicalText } from './exact-json.ts';
import { readExactJson } from '../../language/values/json-parse.ts';
import { isList, isObject } from '../../language/values/json.ts';
import type { JsonValue } from '../../language/values/json.ts';

/** Lines before and after a difference that are shown with it. */
const around = 2;
/** Maximum number of lines shown. */
const mostLines = 40;
const mostCharacters = 160;

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

/** The fewest lines to remove and to add; those to remove come first. */
function compare(before: readonly string[], after: readonly string[]): readonly Line[] {
  let [old, made] = [0, 0];
  return [...commonLines(before, after), [before.length, after.length] as const].flatMap(([oldEnd, madeEnd]) => {
    const gone = before.slice(old, oldEnd).map((text): Line => ['-', text]);
    const come = after.slice(made, madeEnd).map((text): Line => ['+', text]);
    const common = before.slice(oldEnd, oldEnd + 1).map((text): Line => [' ', text]);
    [old, made] = [oldEnd + 1, madeEnd + 1];
    return [...gone, ...come, ...common];
  });
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
