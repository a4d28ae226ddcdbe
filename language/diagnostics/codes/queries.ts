import { error, warning } from '../define.ts';

/** E06xx: the shape of queries. */
export interface Expansion {
  readonly block: string;
  readonly count: number;
  readonly limit: number;
  readonly multiplied: readonly string[];
}

function expansionMessage({ block, count, multiplied }: Expansion, allowed: string): string {
  const counted = Number.isSafeInteger(count) ? String(count) : `more than ${Number.MAX_SAFE_INTEGER}`;
  const through = multiplied.length === 0 ? '' : ` (it reads ${multiplied.join(', which reads ')})`;
  return `${block} names ${counted} relations once everything it reads is written out${through}; ${allowed}`;
}

export const queries = {
  E0601: error<{ column: string }>((p) => `column '${p.column}' must be in GROUP BY or inside an aggregate`),
  E0602: error<{ function: string; where: string }>((p) => `${p.function} is not allowed in ${p.where}`),
  E0603: error<{ function: string }>((p) => `${p.function} is not allowed inside another aggregate`),
  E0604: error<{ function: string; where: string }>(
    (p) => `the window function ${p.function} is not allowed in ${p.where}`,
  ),
  E0605: error<{ function: string; found: number }>(
    (p) =>
      `${p.function} needs exactly one event relation (Reg."X$Events") in FROM, and there ${p.found === 0 ? 'is none' : `are ${p.found}`}`,
  ),
  E0606: error<{ operator: string; left: number; right: number }>(
    (p) => `the sides of ${p.operator} have ${p.left} and ${p.right} columns`,
  ),
  E0607: error<{ columns: number }>((p) => `this subquery must have one column, not ${p.columns}`),
  E0608: error<{ clause: string; position: number; columns: number }>(
    (p) => `${p.clause} ${p.position}: the select list has ${p.columns} column${p.columns === 1 ? '' : 's'}`,
  ),
  E0609: error<Record<never, never>>(
    () => `over UNION, INTERSECT and EXCEPT, ORDER BY takes names and positions of result columns only`,
  ),
  E0610: error<Record<never, never>>(() => `with DISTINCT, ORDER BY expressions must be in the select list`),
  E0611: error<{ clause: string }>(
    (p) => `${p.clause} takes a whole number that is not negative, or an expression of numbers and parameters`,
  ),
  E0612: error<Record<never, never>>(() => `* needs a FROM clause`),
  E0613: error<{ name: string; named: number; columns: number }>(
    (p) =>
      `'${p.name}' has ${p.columns} column${p.columns === 1 ? '' : 's'}, and ${p.named} ${p.named === 1 ? 'is' : 'are'} named`,
  ),
  E0614: error<{ row: number; values: number; expected: number }>(
    (p) => `row ${p.row} of VALUES has ${p.values} value${p.values === 1 ? '' : 's'}, the first has ${p.expected}`,
  ),
  E0615: error<{ name: string }>(
    (p) =>
      `'${p.name}' refers to itself and must be a start UNION [ALL] a step that reads it once, in its own FROM, ungrouped`,
  ),
  E0616: error<{ function: string; problem: string }>((p) => `${p.function} ${p.problem}`),
  E0617: error<{ what: string; limit: number }>((p) => `this query has more than ${p.limit} ${p.what}`),
  E0618: error<Record<never, never>>(() => `WITH RECURSIVE is not available here`),
  E0621: error<{ name: string }>(
    (p) => `'${p.name}': too many recursive tables are nested to find the types of their columns`,
  ),
  E0622: error<{ what: string; limit: number }>((p) => `this has more than ${p.limit} ${p.what}`),
  E0623: error<{ clause: string; name: string; first: number; second: number }>(
    (p) =>
      `'${p.name}' in ${p.clause} could be column ${p.first} or ${p.second} of the result; give one an alias, or its position`,
  ),
  E0624: error<{ join: string }>(
    (p) =>
      `a ${p.join} JOIN has rows of its right side alone, so LATERAL there cannot read the left side; INNER, LEFT and CROSS JOIN can`,
  ),
  E0630: error<Expansion>((p) => expansionMessage(p, `at most ${p.limit} are allowed`)),
  E0631: warning<Expansion>((p) =>
    expansionMessage(p, `now at most ${p.limit} are allowed; a new definition like this is refused`),
  ),
  E0619: error<{ store: string }>((p) => `'${p.store}' cannot be read here; the schema and callers over HTTP read Reg`),
  E0620: error<{ depth: number }>((p) => `this query is nested more than ${p.depth} levels deep`),
} as const;
