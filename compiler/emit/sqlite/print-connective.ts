/**
 * AND and OR, which evaluate their right side only where the left one does not decide (docs/language.md#logic). SQLite
 * computes both sides of one used as a value, evaluates a right side first if the left one has a query, and evaluates
 * the parts of a WHERE in the order of its plan. So a right side that can fail is printed in a CASE; everything else is
 * left to SQLite, whose planner can use it.
 */
import { mayFail, sqliteCall } from '../../../language/sqlite/call.ts';
import { balanced } from './chain.ts';

export type Connective = 'and' | 'or';

/** The printed operand of a connective. */
export interface PrintedTruth {
  readonly text: string;
  readonly nullable: boolean;
}

/**
 * Texts up to this length are printed twice to save a call for each row; longer ones would double with every level of
 * nesting.
 */
const shortText = 400;

/** A value: TRUE, FALSE or NULL. */
export function printConnective(name: Connective, operands: readonly PrintedTruth[]): string {
  return balanced(operands, (left, right) => ({
    text: mayFail(right.text) ? stopping(name, left, right.text) : plain(name, [left.text, right.text]),
    nullable: left.nullable || right.nullable,
  })).text;
}

function stopping(name: Connective, left: PrintedTruth, right: string): string {
  if (!left.nullable)
    return name === 'and'
      ? `(CASE WHEN ${left.text} THEN ${right} ELSE 0 END)`
      : `(CASE WHEN ${left.text} THEN 1 ELSE ${right} END)`;
  const [decided, value] = name === 'and' ? ['0', '0'] : ['1', '1'];
  if (left.text.length <= shortText)
    return `(CASE ${left.text} WHEN ${decided} THEN ${value} ELSE ${plain(name, [left.text, right])} END)`;
  // The right side of the inner AND or OR is evaluated after the kept value was read.
  const kept = plain(name, [sqliteCall('kept'), right]);
  return `(CASE ${sqliteCall('keep', left.text)} WHEN ${decided} THEN ${value} ELSE ${kept} END)`;
}

/**
 * For places where NULL counts as FALSE. SQLite itself evaluates only as far as needed there, except that it evaluates
 * a query on the left last.
 */
export function printConnectiveCondition(name: Connective, operands: readonly string[]): string {
  return balanced(operands, (left, right) => {
    if (!mayFail(right) || !left.includes('SELECT')) return plain(name, [left, right]);
    return name === 'and' ? inOrder([left, right]) : `(CASE WHEN ${left} THEN 1 WHEN ${right} THEN 1 ELSE 0 END)`;
  });
}

/**
 * A whole WHERE, ON or HAVING, given as the parts that AND joins. SQLite tests them in its own order, so a part that
 * can fail is evaluated only after the earlier ones. Parts that cannot fail are also printed separately, where an index
 * can serve them.
 */
export function printRestriction(parts: readonly string[]): string {
  const [, ...later] = parts;
  if (!later.some(mayFail)) return printConnectiveCondition('and', parts);
  const certain = parts.filter((part) => !mayFail(part));
  const free = certain.join('').length > 10 * shortText ? [] : certain;
  const lastOfOrder = parts.findLastIndex(mayFail);
  return plain('and', [...free, inOrder(parts.slice(0, lastOfOrder + 1))]);
}

/**
 * All parts, each tested only when those before it are TRUE. SQLite reads the word TRUE as a column if a column has
 * that name.
 */
function inOrder(parts: readonly string[]): string {
  const last = parts.length - 1;
  const whens = parts.map((part, at) => (at < last ? `WHEN NOT ifnull(${part}, 0) THEN 0` : `WHEN ${part} THEN 1`));
  return `(CASE ${whens.join(' ')} ELSE 0 END)`;
}

function plain(name: Connective, operands: readonly string[]): string {
  return `(${operands.join(name === 'and' ? ' AND ' : ' OR ')})`;
}
