import { fieldHabits, tableHabits } from '../compiler/syntax/habits/fields.ts';
import { expressionHabits } from '../compiler/syntax/habits/expressions.ts';
import type { Habit } from '../compiler/syntax/habits/habit.ts';
import { foreignFunctions, foreignKinds, foreignStatements, foreignTypes } from '../compiler/syntax/habits/names.ts';
import { queryHabits } from '../compiler/syntax/habits/queries.ts';
import { commonHabits, lastHabits, statementHabits } from '../compiler/syntax/habits/statements.ts';

type Row = readonly [typed: string, instead: string];

/** Forms of other SQL dialects and the forms of this language, as Markdown: one table per part of a text. */
export function habitTables(): string {
  const forms = (habits: readonly Habit[]): readonly Row[] =>
    habits.map(({ typed, instead }) => [shown(typed), instead]);
  const words = (rows: ReadonlyMap<string, string>, before = ''): readonly Row[] =>
    Array.from(rows, ([word, instead]) => [`${before}${word}`, instead]);
  const tables: readonly (readonly [title: string, rows: readonly Row[]])[] = [
    ['Statements', [...words(foreignStatements), ...words(foreignKinds, 'CREATE '), ...forms(statementHabits)]],
    ['Fields', [...forms(fieldHabits), ...forms(tableHabits), ...words(foreignTypes)]],
    ['Queries', [...forms(queryHabits), ...forms(expressionHabits), ...forms(commonHabits), ...forms(lastHabits)]],
    ['Functions', words(foreignFunctions)],
  ];
  return tables.map(([title, rows]) => `### ${title}\n\n| typed | here |\n|---|---|\n${merged(rows)}`).join('\n');
}

/** Makes a row for each message. */
function merged(rows: readonly Row[]): string {
  const typed = new Map<string, Set<string>>();
  for (const [form, instead] of rows) typed.set(instead, (typed.get(instead) ?? new Set()).add(form));
  return Array.from(
    typed,
    ([instead, forms]) => `| ${Array.from(forms, (form) => code(form)).join(', ')} | ${cell(instead)} |\n`,
  ).join('');
}

const placeholders: Readonly<Record<string, string>> = {
  '<name>': 'name',
  '<column>': 'name',
  '<quoted>': '"…"',
  '<string>': "'…'",
  '<number>': 'n',
  '<bind>': ':name',
  '<hash>': '#',
  '<curly>': '‘…’',
  '<end>': ';',
};

/** A row's form without its marks. */
function shown(typed: string): string {
  const words = typed.split(' ').map((word) => {
    const bare = word.replace(/^«/, '').replace(/»$/, '');
    const text = bare.length > 1 && bare.startsWith('^') ? bare.slice(1) : bare;
    return placeholders[text] ?? text;
  });
  return words.join(' ');
}

function code(text: string): string {
  const mark = text.includes('`') ? '``' : '`';
  return `${mark}${text.startsWith('`') ? ' ' : ''}${cell(text)}${mark}`;
}

/** A `|` would end the cell, also between backticks, and a `<` open an element. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
