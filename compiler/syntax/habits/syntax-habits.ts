import { expressionHabits } from './expressions.ts';
import { fieldHabits, tableHabits } from './fields.ts';
import { findHabit, type FoundHabit, type Habit, type Place, type Refusal } from './habit.ts';
import { queryHabits } from './queries.ts';
import { commonHabits, lastHabits, statementHabits } from './statements.ts';

const elsewhere: readonly Habit[] = [
  ...commonHabits,
  ...statementHabits,
  ...queryHabits,
  ...expressionHabits,
  ...lastHabits,
];
const declarations: readonly Habit[] = [...commonHabits, ...statementHabits, ...fieldHabits, ...lastHabits];

const byPlace: Readonly<Record<Place, readonly Habit[]>> = {
  command: declarations,
  event: declarations,
  aggregate: declarations,
  table: [...commonHabits, ...tableHabits, ...lastHabits],
  assignments: elsewhere,
  store: elsewhere,
  other: elsewhere,
};

/** All rows, in the order of the tables. */
export const syntaxHabits: readonly Habit[] = Array.from(new Set(Object.values(byPlace).flat()));

/** The row for the place where the grammar refused a token, if people are known to write that. */
export function findSyntaxHabit(refusal: Refusal): FoundHabit | undefined {
  return findHabit(byPlace[refusal.place], refusal);
}
