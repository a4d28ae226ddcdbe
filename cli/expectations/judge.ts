/**
 * Checks one outcome against one expectation. Takes the outcome in the form of `run --json`, so that it judges the same text that a program
 * sees; gives a sentence about the difference, or nothing.
 */
import { ExactNumber, type JsonObject, type JsonValue } from '../../language/values/json.ts';
import { canonicalText, covers, named } from './exact-json.ts';
import { readExactJson } from '../../language/values/json-parse.ts';
import { isList, isObject } from '../../language/values/json.ts';
import type { Expectation } from './expectation.ts';

export interface Mismatch {
  readonly problem: string;
  readonly expected?: string;
  readonly got?: string;
}

type Judge = (got: JsonObject, rest: string) => Mismatch | undefined;

/** All words of expectations; `error` is judged separately, because it alone accepts a failed statement. */
const judges: Readonly<Record<string, Judge>> = {
  ok: () => undefined,
  emitted: (got, rest) => judgeEvents('emitted', got, rest),
  replayed: (got, rest) => judgeEvents('replayed', got, rest),
  rejected: (got, rest) => {
    if (got.get('outcome') !== 'rejected') return differs('a rejection', got);
    return judgeCovers([got.get('rejection') ?? null], rest, 'the rejection differs');
  },
  rows: (got, rest) => judgeSame(got.get('rows'), readExactJson(rest), 'the rows differ'),
  'rows-any': (got, rest) =>
    judgeSame(sorted(got.get('rows')), sorted(readExactJson(rest)), 'the rows differ, in any order'),
  columns: (got, rest) => judgeSame(columnsOf(got), readExactJson(rest), 'the columns differ'),
  created: (got, rest) => {
    if (rest.startsWith('[')) return judgeCovers(got.get('created'), rest, 'what was created differs');
    return got.get('change') === rest ? undefined : differs(`'${rest}'`, got);
  },
  reacted: (got, rest) => judgeCovers(got.get('reacted') ?? [], rest, 'what reactions did differs'),
  inspected: (got, rest) => judgeCovers(got, rest, 'the inspection differs'),
  'text-has': (got, rest) => {
    const wanted = text(rest);
    const whole = textOf(got);
    if (whole === undefined) return mismatch('the outcome has no text and no rows', quoted(wanted), canonicalText(got));
    return whole.includes(wanted)
      ? undefined
      : mismatch('the text does not contain the expected part', quoted(wanted), quoted(whole));
  },
  lacks: (got, rest) => {
    const unwanted = text(rest);
    const all = canonicalText(got);
    return all.includes(unwanted)
      ? mismatch('the outcome contains a part that it must not contain', quoted(unwanted), all)
      : undefined;
  },
};

/** The difference of an outcome from an expectation, or undefined. `got` is undefined if there is no statement before it. */
export function judge(expectation: Expectation, got: JsonObject | undefined): Mismatch | undefined {
  if (got === undefined) return { problem: 'there is no statement before it' };
  const { word, rest } = expectation;
  try {
    if (word === 'error') return judgeError(got, rest);
    if (got.get('kind') === 'error') return { problem: `the statement failed: ${errorText(got)}` };
    const found = Object.hasOwn(judges, word) ? judges[word] : undefined;
    return found === undefined ? { problem: `unknown expectation '${word}'` } : found(got, rest);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: `the expectation cannot be read: ${error.message}` };
  }
}

/** `E0203 4:10 there is no …`, for an outcome of kind `error`. */
export function errorText(got: JsonObject): string {
  const place = `${canonicalText(got.get('line'))}:${canonicalText(got.get('column'))}`;
  return `${plain(got.get('code'))} ${place} ${plain(got.get('message'))}`;
}

function judgeError(got: JsonObject, rest: string): Mismatch | undefined {
  if (got.get('kind') !== 'error') return differs('an error', got);
  const code = plain(got.get('code'));
  if (rest !== '' && !rest.startsWith('"') && code !== rest) return mismatch('another error', rest, errorText(got));
  if (!isPositive(got.get('line')) || !isPositive(got.get('column')) || !/^[A-Z]\d{4}$/.test(code)) {
    return { problem: `the error has no code, line or column: ${canonicalText(got)}` };
  }
  if (!rest.startsWith('"')) return undefined;
  const has = plain(got.get('message')).toLowerCase().includes(text(rest).toLowerCase());
  return has ? undefined : mismatch('the message does not contain the expected part', rest, errorText(got));
}

function judgeEvents(outcome: string, got: JsonObject, rest: string): Mismatch | undefined {
  if (got.get('outcome') !== outcome) return differs(`'${outcome}'`, got);
  return judgeCovers(got.get('events'), rest, 'the events differ');
}

/** Only the members that the expectation names are compared; without JSON, nothing. */
function judgeCovers(got: JsonValue | undefined, rest: string, problem: string): Mismatch | undefined {
  if (rest === '') return undefined;
  const wanted = readExactJson(rest);
  return covers(got, wanted) ? undefined : mismatch(problem, canonicalText(wanted), canonicalText(named(got, wanted)));
}

function judgeSame(got: JsonValue | undefined, wanted: JsonValue | undefined, problem: string): Mismatch | undefined {
  const [a, b] = [canonicalText(got), canonicalText(wanted)];
  return a === b ? undefined : mismatch(problem, b, a);
}

function sorted(rows: JsonValue | undefined): JsonValue | undefined {
  if (!isList(rows)) return rows;
  return [...rows].sort((a, b) => (canonicalText(a) < canonicalText(b) ? -1 : 1));
}

function columnsOf(got: JsonObject): JsonValue | undefined {
  const columns = got.get('columns');
  if (!isList(columns)) return undefined;
  return columns.map((column) =>
    isObject(column) ? [column.get('name') ?? null, column.get('type') ?? null] : column,
  );
}

/** Undefined for an outcome that has neither a text nor rows. */
function textOf(got: JsonObject): string | undefined {
  const [whole, rows] = [got.get('text'), got.get('rows')];
  if (typeof whole === 'string') return whole;
  return isList(rows) ? JSON.stringify(rows, plainMember) : undefined;
}
/** Rows as JSON text, numbers as written. */
function plainMember(_key: string, value: unknown): unknown {
  if (value instanceof ExactNumber) return Number(value.text);
  return value instanceof Map ? Object.fromEntries(value) : value;
}

function text(rest: string): string {
  const value = readExactJson(rest);
  if (typeof value !== 'string') throw new SyntaxError(`a text in double quotes is expected, not ${rest}`);
  return value;
}
function plain(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : canonicalText(value);
}
function isPositive(value: JsonValue | undefined): boolean {
  return value instanceof ExactNumber && Number(value.text) > 0;
}
function quoted(value: string): string {
  return JSON.stringify(value);
}
function differs(wanted: string, got: JsonObject): Mismatch {
  return mismatch('another outcome', wanted, canonicalText(got));
}
function mismatch(problem: string, expected: string, got: string): Mismatch {
  return { problem, expected, got };
}
