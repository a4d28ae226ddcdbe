/** UNION, INTERSECT and EXCEPT. */
import type { BoundBody, BoundSetOperation } from '../../../language/catalog/query.ts';
import type { Type } from '../../../language/values/type.ts';
import { isKeyed, keyText } from '../../functions/comparison-key.ts';
import { groupEqual } from './distinct-rows.ts';
import { outputName } from './printer.ts';

/** SQLite refuses compounds of more than 500 terms. */
const longestChain = 400;

/**
 * SQLite's set operators have one precedence and group to the left, so a left-leaning chain needs no wrapping, and a
 * recursive term must have none. `types` are those of the columns, `print` prints a side.
 */
export function printSet(set: BoundSetOperation, types: readonly Type[], print: (side: BoundBody) => string): string {
  const chain: BoundSetOperation[] = [set];
  let first = set.left;
  while (first.kind === 'set' && !isRepeating(first)) {
    chain.push(first);
    first = first.left;
  }
  let text = print(first);
  let terms = 1;
  for (const step of chain.reverse()) {
    if (terms++ % longestChain === 0) text = `SELECT * FROM (${text})`;
    text = printStep(text, step, print(step.right), types);
  }
  return text;
}

/**
 * INTERSECT ALL and EXCEPT ALL, which SQLite lacks: equal rows are numbered on each side, so that each pairs with one.
 */
function isRepeating(set: BoundSetOperation): boolean {
  return set.all && set.operator !== 'UNION';
}

function printStep(left: string, step: BoundSetOperation, right: string, types: readonly Type[]): string {
  const repeating = isRepeating(step);
  const native = step.all && !repeating ? `${step.operator} ALL` : step.operator;
  const keyed = native !== 'UNION ALL' && types.some(isKeyed);
  if (!repeating && !keyed) return `${left} ${native} ${right}`;
  const keys = keysOf(types).join(', ');
  const order = keyed ? ` ORDER BY ${namesOf(types).join(', ')}` : '';
  const numbered = (side: string): string =>
    `SELECT *, ROW_NUMBER() OVER (PARTITION BY ${keys}${order}) AS n FROM (${side})`;
  const [a, b] = repeating ? [numbered(left), numbered(right)] : [left, right];
  if (!keyed) return `SELECT ${namesOf(types).join(', ')} FROM (${a} ${step.operator} ${b})`;
  const sided = `SELECT *, 0 AS side FROM (${a}) UNION ALL SELECT *, 1 AS side FROM (${b})`;
  return `${groupEqual(sided, types, repeating ? ['n'] : [])}${sides[step.operator]}`;
}

/** Which of the grouped rows of both sides an operation keeps. */
const sides = {
  UNION: '',
  INTERSECT: ' HAVING MIN(side) < MAX(side)',
  EXCEPT: ' HAVING MAX(side) = 0',
} as const;

function namesOf(types: readonly Type[]): readonly string[] {
  return types.map((_, index) => outputName(index));
}

function keysOf(types: readonly Type[]): readonly string[] {
  return types.map((type, index) => keyText(outputName(index), type));
}
