/** Kinds of expressions that random queries hold. A kind is tried by being listed here; each set can be left out by its name. */
import type { Family } from './families.ts';

/** A form of expression that is no column or constant, written over further values. */
type Form = (of: (family: Family) => string) => string;

export type Forms = Readonly<Record<Family, readonly Form[]>>;

const none: Record<Family, readonly Form[]> = {
  number: [],
  big: [],
  exact: [],
  wide: [],
  real: [],
  text: [],
  truth: [],
  day: [],
  instant: [],
  span: [],
  clock: [],
};

export const formSets: Readonly<Record<string, Forms>> = {
  plain: {
    ...none,
    number: [(of) => `(${of('number')} + 1)`, (of) => `COALESCE(${of('number')}, ${of('number')})`],
    text: [(of) => `UPPER(${of('text')})`, (of) => `COALESCE(${of('text')}, 'z')`],
    truth: [
      (of) => `(${of('number')} < ${of('number')})`,
      (of) => `(${of('text')} = ${of('text')})`,
      (of) => `(${of('truth')} AND ${of('truth')})`,
      (of) => `(${of('number')} BETWEEN ${of('number')} AND 2)`,
      (of) => `(${of('number')} IS NULL OR NOT ${of('truth')})`,
    ],
  },
  /** Values that the test before them keeps from failing. */
  guarded: {
    ...none,
    truth: [(of) => divided(of('number'), '<>', 'AND'), (of) => divided(of('number'), '=', 'OR')],
  },
  /** Numbers of several types, at the ends of their types as well. */
  numbers: {
    ...none,
    number: [
      (of) => `CASE ${of('number')} WHEN ${of('exact')} THEN 1 WHEN ${of('big')} THEN 2 ELSE 3 END`,
      (of) => `NULLIF(${of('number')}, ${of('number')})`,
    ],
    big: [
      (of) => `NULLIF(${of('big')}, ${of('wide')})`,
      (of) => `COALESCE(${of('big')}, ${of('number')})`,
      (of) => `GREATEST(${of('big')}, ${of('number')})`,
      (of) => `CASE WHEN ${of('truth')} THEN ${of('number')} ELSE ${of('big')} END`,
    ],
    exact: [
      (of) => `(${of('exact')} - ${of('number')})`,
      (of) => `(${of('exact')} * 2)`,
      (of) => `ROUND(${of('exact')}, 1)`,
      (of) => `LEAST(${of('exact')}, ${of('number')})`,
      (of) => `COALESCE(${of('exact')}, ${of('number')})`,
    ],
    wide: [(of) => `NULLIF(${of('wide')}, ${of('big')})`, (of) => `CASE WHEN ${of('truth')} THEN ${of('wide')} END`],
    real: [(of) => `(${of('real')} + ${of('number')})`, (of) => `COALESCE(${of('real')}, ${of('exact')})`],
    truth: [
      (of) => `(${of('big')} = ${of('wide')})`,
      (of) => `(${of('wide')} < ${of('big')})`,
      (of) => `(${of('exact')} >= ${of('number')})`,
      (of) => `(${of('real')} < ${of('exact')})`,
      (of) => `(${of('big')} IN (${of('big')}, ${of('wide')}, ${of('number')}))`,
      (of) => `(${of('wide')} NOT IN (${of('exact')}, ${of('big')}))`,
      (of) => `(${of('big')} IS DISTINCT FROM ${of('wide')})`,
      (of) => `(${of('wide')} BETWEEN SYMMETRIC ${of('big')} AND ${of('exact')})`,
    ],
  },
  /** Dates and instants. */
  times: {
    ...none,
    number: [(of) => `(${of('day')} - ${of('day')})`, (of) => `CAST(EXTRACT(MONTH FROM ${of('day')}) AS INT)`],
    text: [(of) => `CAST(${of('day')} AS TEXT)`],
    truth: [
      (of) => `(${of('day')} < ${of('instant')})`,
      (of) => `(${of('instant')} IN (${of('day')}, ${of('instant')}))`,
      (of) => `(${of('instant')} BETWEEN ${of('day')} AND ${of('instant')})`,
    ],
    day: [(of) => `(${of('day')} + 1)`, (of) => `CAST(${of('instant')} AS DATE)`],
    instant: [
      (of) => `DATE_TRUNC('month', ${of('instant')})`,
      (of) => `CAST(${of('day')} AS TIMESTAMP)`,
      (of) => `COALESCE(${of('instant')}, ${of('day')})`,
    ],
  },
  /** Intervals: only what is equal for equal ones. */
  spans: {
    ...none,
    number: [(of) => `CASE ${of('span')} WHEN ${of('span')} THEN 1 WHEN INTERVAL '1 day' THEN 2 ELSE 3 END`],
    truth: [
      (of) => `(${of('span')} < ${of('span')})`,
      (of) => `(${of('span')} IN (${of('span')}, ${of('span')}))`,
      (of) => `(${of('span')} NOT IN (INTERVAL '30 days', ${of('span')}))`,
      (of) => `(${of('span')} BETWEEN ${of('span')} AND ${of('span')})`,
      (of) => `(${of('span')} BETWEEN SYMMETRIC ${of('span')} AND ${of('span')})`,
      (of) => `(${of('span')} IS DISTINCT FROM ${of('span')})`,
    ],
    // PostgreSQL subtracts to a time without a zone; the cast makes it the instant that it is in the language.
    instant: [
      (of) => `(${of('instant')} + INTERVAL '1 mon')`,
      (of) => `CAST(${of('day')} - INTERVAL '36 hours' AS TIMESTAMP)`,
    ],
    span: [
      (of) => `(${of('instant')} - ${of('instant')})`,
      (of) => `(${of('span')} + ${of('span')})`,
      (of) => `(${of('span')} - INTERVAL '1 day')`,
      (of) => `(-${of('span')})`,
      (of) => `(${of('span')} * 2)`,
      (of) => `COALESCE(${of('span')}, ${of('span')})`,
      (of) => `NULLIF(${of('span')}, ${of('span')})`,
      (of) => `GREATEST(${of('span')}, ${of('span')})`,
      (of) => `LEAST(${of('span')}, ${of('span')}, INTERVAL '24:00')`,
      (of) => `CASE WHEN ${of('truth')} THEN ${of('span')} ELSE INTERVAL '24:00' END`,
    ],
  },
  /** Times of zones. */
  zones: {
    ...none,
    number: [(of) => `CAST(EXTRACT(HOUR FROM ${of('clock')}) AS INT)`],
    truth: [
      (of) => `(${of('clock')} < ${of('clock')})`,
      (of) => `(${of('clock')} IN (${of('clock')}, ${of('clock')}))`,
      (of) => `(${of('clock')} BETWEEN ${of('clock')} AND ${of('clock')})`,
    ],
    day: [(of) => `CAST(${of('clock')} AS DATE)`],
    instant: [
      (of) => `(${of('clock')} AT TIME ZONE 'Europe/Oslo')`,
      (of) => `(${of('clock')} AT TIME ZONE 'UTC')`,
      (of) => `DATE_TRUNC('day', ${of('instant')}, 'America/New_York')`,
    ],
    span: [(of) => `(${of('clock')} - ${of('clock')})`],
    clock: [
      (of) => `(${of('instant')} AT TIME ZONE 'Europe/Oslo')`,
      (of) => `(${of('instant')} AT TIME ZONE 'Australia/Lord_Howe')`,
      (of) => `(${of('clock')} + INTERVAL '1 mon')`,
      (of) => `DATE_TRUNC('hour', ${of('clock')})`,
      (of) => `COALESCE(${of('clock')}, ${of('clock')})`,
      (of) => `NULLIF(${of('clock')}, ${of('clock')})`,
    ],
  },
  /** Functions of the schema (`functions.ts`), over each other as well. */
  functions: {
    ...none,
    number: [
      (of) => `folded(${of('number')})`,
      (of) => `picked(${of('number')}, ${of('number')})`,
      (of) => `folded(picked(${of('number')}, folded(${of('number')})))`,
    ],
    text: [(of) => `marked(${of('text')})`, (of) => `marked(marked(${of('text')}))`],
    truth: [(of) => `near(${of('number')}, ${of('number')})`],
    exact: [(of) => `rated(${of('exact')})`],
  },
  texts: {
    ...none,
    number: [(of) => `LENGTH(${of('text')})`],
    text: [
      (of) => `(${of('text')} || ${of('text')})`,
      (of) => `CAST(${of('number')} AS TEXT)`,
      (of) => `CASE WHEN ${of('truth')} THEN ${of('text')} ELSE 'ä' END`,
    ],
    truth: [(of) => `(${of('text')} LIKE 'a%')`, (of) => `(${of('text')} IN ('a', ${of('text')}))`],
  },
};

/** PostgreSQL computes a constant division in advance, so there is none. */
function divided(by: string, test: string, word: string): string {
  return /^\d+$/.test(by) ? `(${by} ${test} 0)` : `(${by} ${test} 0 ${word} 10 / ${by} > 1)`;
}

export function formsOf(names: readonly string[]): Forms {
  const sets = names.map((name) => {
    const set = formSets[name];
    if (set === undefined)
      throw new Error(`no forms are called ${name}; there are ${Object.keys(formSets).join(', ')}`);
    return set;
  });
  const all = { ...none };
  for (const family of Object.keys(none) as readonly Family[]) all[family] = sets.flatMap((set) => set[family]);
  return all;
}
