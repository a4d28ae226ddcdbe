import { entry } from '../define.ts';

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
  E0601: entry<{ column: string }>({
    severity: 'error',
    title: 'neither grouped nor aggregated',
    message: (p) => `column '${p.column}' must be in GROUP BY or inside an aggregate`,
    explanation:
      'Where rows are grouped, every column of the result is a grouping expression or computed by an aggregate such as LAST or SUM.',
    example: 'SELECT a, COUNT(*) FROM (SELECT 1 AS a) t;',
  }),
  E0602: entry<{ function: string; where: string }>({
    severity: 'error',
    title: 'aggregate in the wrong place',
    message: (p) => `${p.function} is not allowed in ${p.where}`,
    explanation:
      'Aggregates are allowed in the select list, HAVING and ORDER BY. WHERE filters rows before grouping, HAVING filters groups afterwards.',
    example: 'SELECT 1 FROM (SELECT 1 AS a) t WHERE SUM(a) > 1;',
  }),
  E0603: entry<{ function: string }>({
    severity: 'error',
    title: 'aggregate inside an aggregate',
    message: (p) => `${p.function} is not allowed inside another aggregate`,
    explanation: 'Aggregate in a derived table first, then over its rows.',
    example: 'SELECT SUM(COUNT(*)) FROM (SELECT 1 AS a) t;',
  }),
  E0604: entry<{ function: string; where: string }>({
    severity: 'error',
    title: 'window function in the wrong place',
    message: (p) => `the window function ${p.function} is not allowed in ${p.where}`,
    explanation: 'Window functions are computed last, so they are allowed in the select list and ORDER BY only.',
    example: 'SELECT 1 FROM (SELECT 1 AS a) t WHERE ROW_NUMBER() OVER (ORDER BY a) = 1;',
  }),
  E0605: entry<{ function: string; found: number }>({
    severity: 'error',
    title: 'order of events is not defined',
    message: (p) =>
      `${p.function} needs exactly one event relation (Reg."X$Events") in FROM, and there ${p.found === 0 ? 'is none' : `are ${p.found}`}`,
    explanation:
      'LAST and FIRST mean the latest and earliest in the order of events, which only one event relation has.',
    example: 'SELECT LAST(a) FROM (SELECT 1 AS a) t;',
  }),
  E0606: entry<{ operator: string; left: number; right: number }>({
    severity: 'error',
    title: 'sides of different width',
    message: (p) => `the sides of ${p.operator} have ${p.left} and ${p.right} columns`,
    explanation: 'UNION, INTERSECT and EXCEPT combine rows with the same number of columns.',
    example: 'SELECT 1, 2 UNION SELECT 3;',
  }),
  E0607: entry<{ columns: number }>({
    severity: 'error',
    title: 'subquery of several columns',
    message: (p) => `this subquery must have one column, not ${p.columns}`,
    explanation: 'A subquery used as a value, or on the right of IN, has exactly one column.',
    example: 'SELECT (SELECT 1, 2);',
  }),
  E0608: entry<{ clause: string; position: number; columns: number }>({
    severity: 'error',
    title: 'position out of range',
    message: (p) => `${p.clause} ${p.position}: the select list has ${p.columns} column${p.columns === 1 ? '' : 's'}`,
    explanation: 'A bare number in ORDER BY or GROUP BY is the position of a column of the result, counted from 1.',
    example: 'SELECT 1 AS a ORDER BY 2;',
  }),
  E0609: entry<Record<never, never>>({
    severity: 'error',
    title: 'order of a set operation',
    message: () => `over UNION, INTERSECT and EXCEPT, ORDER BY takes names and positions of result columns only`,
    explanation:
      'The rows of a set operation no longer belong to a relation. Put the expression into both select lists.',
    example: 'SELECT 1 AS a UNION SELECT 2 ORDER BY a + 1;',
  }),
  E0610: entry<Record<never, never>>({
    severity: 'error',
    title: 'order of DISTINCT rows',
    message: () => `with DISTINCT, ORDER BY expressions must be in the select list`,
    explanation: 'A row of a DISTINCT result may combine many rows, so only the values it shows can order it.',
    example: 'SELECT DISTINCT a FROM (SELECT 1 AS a, 2 AS b) t ORDER BY b;',
  }),
  E0611: entry<{ clause: string }>({
    severity: 'error',
    title: 'LIMIT is not constant',
    message: (p) => `${p.clause} takes a whole number that is not negative, or an expression of numbers and parameters`,
    explanation: 'LIMIT and OFFSET are the same for the whole result.',
    example: 'SELECT 1 LIMIT -1;',
  }),
  E0612: entry<Record<never, never>>({
    severity: 'error',
    title: 'star without FROM',
    message: () => `* needs a FROM clause`,
    explanation: 'The star means all columns of the relations in FROM.',
    example: 'SELECT *;',
  }),
  E0613: entry<{ name: string; named: number; columns: number }>({
    severity: 'error',
    title: 'column list too long',
    message: (p) =>
      `'${p.name}' has ${p.columns} column${p.columns === 1 ? '' : 's'}, and ${p.named} ${p.named === 1 ? 'is' : 'are'} named`,
    explanation:
      'A list of column names after a table or alias names its columns from the first on; columns past the list keep their names.',
    example: 'WITH t(a, b) AS (SELECT 1) SELECT * FROM t;',
  }),
  E0614: entry<{ row: number; values: number; expected: number }>({
    severity: 'error',
    title: 'ragged VALUES',
    message: (p) =>
      `row ${p.row} of VALUES has ${p.values} value${p.values === 1 ? '' : 's'}, the first has ${p.expected}`,
    explanation: 'All rows of VALUES have the same number of values.',
    example: 'VALUES (1, 2), (3);',
  }),
  E0615: entry<{ name: string }>({
    severity: 'error',
    title: 'recursion of another shape',
    message: (p) =>
      `'${p.name}' refers to itself and must be a start UNION [ALL] a step that reads it once, in its own FROM, ungrouped`,
    explanation:
      'WITH RECURSIVE t AS (start UNION ALL step): the start does not read t. The step reads it once in its own FROM, neither grouped nor inside a subquery.',
    example: 'WITH RECURSIVE t AS (SELECT n FROM t) SELECT * FROM t;',
  }),
  E0616: entry<{ function: string; problem: string }>({
    severity: 'error',
    title: 'call of another shape',
    message: (p) => `${p.function} ${p.problem}`,
    explanation:
      'FILTER, DISTINCT and ORDER BY inside a call belong to aggregates, OVER to aggregates and window functions.',
    example: "SELECT UPPER(DISTINCT 'a');",
  }),
  E0617: entry<{ what: string; limit: number }>({
    severity: 'error',
    title: 'query past its limits',
    message: (p) => `this query has more than ${p.limit} ${p.what}`,
    explanation: 'The size of a query from a caller is limited so that the server answers it in bounded time.',
    takes: 'a query over HTTP with more joins, unions or items of a list than http.limits allows',
  }),
  E0618: entry<Record<never, never>>({
    severity: 'error',
    title: 'recursion is off',
    message: () => `WITH RECURSIVE is not available here`,
    explanation:
      'A recursive query can run forever, so callers of the console may not use it. It works in the tool and in schema text.',
    example: '-- console\nWITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT n FROM t',
  }),
  E0621: entry<{ name: string }>({
    severity: 'error',
    title: 'recursion too entangled',
    message: (p) => `'${p.name}': too many recursive tables are nested to find the types of their columns`,
    explanation:
      'The compiler finds the types of a recursive table by binding its step until start and step agree. Nested recursive tables ' +
      'multiply that work. CAST the columns of the steps to the types of their starts, or separate the tables.',
    example:
      'CREATE PROJECTION P AS WITH RECURSIVE t3 AS (SELECT 1 AS n UNION ALL SELECT t3.n * 1.5 FROM t3 CROSS JOIN (\n' +
      '    WITH RECURSIVE t2 AS (SELECT 1 AS n UNION ALL SELECT t2.n * 1.5 FROM t2 CROSS JOIN (\n' +
      '        WITH RECURSIVE t1 AS (SELECT 1 AS n UNION ALL SELECT t1.n * 1.5 FROM t1 CROSS JOIN (\n' +
      '            WITH RECURSIVE t0 AS (SELECT 1 AS n UNION ALL SELECT t0.n * 1.5 FROM t0) SELECT n FROM t0) u0) SELECT n FROM t1) u1) SELECT n FROM t2) u2)\n' +
      'SELECT n FROM t3;',
  }),
  E0622: entry<{ what: string; limit: number }>({
    severity: 'error',
    title: 'query past a bound',
    message: (p) => `this has more than ${p.limit} ${p.what}`,
    explanation:
      'The engines that answer queries bound the size of one statement: 1664 columns, ORDER BY, GROUP BY or PARTITION BY expressions, 64 ' +
      'relations in one FROM, 1600 fields in one aggregate, 200 arguments in one call, 200 operators and 64 subqueries inside one another. Split the query: WITH tables ' +
      'and projections may read others.',
    takes: 'an expression of more than a thousand terms, or more arguments than a function takes',
  }),
  E0623: entry<{ clause: string; name: string; first: number; second: number }>({
    severity: 'error',
    title: 'ambiguous output column',
    message: (p) =>
      `'${p.name}' in ${p.clause} could be column ${p.first} or ${p.second} of the result; give one an alias, or its position`,
    explanation:
      'ORDER BY and GROUP BY may name a column of the result. Two columns of that name must be the same expression, else it is not clear which ' +
      'one is meant.',
    example: 'SELECT a AS k, b AS k FROM (SELECT 1 AS a, 2 AS b) t ORDER BY k;',
  }),
  E0624: entry<{ join: string }>({
    severity: 'error',
    title: 'LATERAL across an outer join',
    message: (p) =>
      `a ${p.join} JOIN has rows of its right side alone, so LATERAL there cannot read the left side; INNER, LEFT and CROSS JOIN can`,
    explanation:
      'A query after LATERAL is computed for each row of the relations before it. A RIGHT or FULL JOIN needs its rows without such a row.',
    example: 'SELECT 1 AS n FROM (VALUES (1)) t(id) RIGHT JOIN LATERAL (SELECT t.id) u ON TRUE;',
  }),
  E0630: entry<Expansion>({
    severity: 'error',
    title: 'definition too large written out',
    message: (p) => expansionMessage(p, `at most ${p.limit} are allowed`),
    explanation:
      'A projection that reads another one twice doubles it, and the next one doubles that: a relation counts as often as it is ' +
      'named, through all projections and WITH tables. Read a relation once and join its result, or aggregate earlier.',
    takes: 'projections that read each other twice, over fifteen levels',
  }),
  E0631: entry<Expansion>({
    severity: 'warning',
    title: 'accepted definition too large written out',
    message: (p) => expansionMessage(p, `now at most ${p.limit} are allowed; a new definition like this is refused`),
    explanation:
      'The definition was accepted before this limit existed. It is still served, but a read of it may exceed the time limit of a query; ' +
      'then that read fails, and nothing else. Replace it by a definition that reads less (E0630).',
    takes: 'projections as in E0630 that an earlier version accepted',
  }),
  E0619: entry<{ store: string }>({
    severity: 'error',
    title: 'other store read here',
    message: (p) => `'${p.store}' cannot be read here; the schema and callers over HTTP read Reg`,
    explanation:
      'Decisions and projections belong to one registry and read only its relations, and so does a caller over HTTP. Named stores are for ' +
      'the interactive tool.',
    example:
      'CREATE EVENTSTORE prod WITH (durable.type = \'memory\');\nCREATE AGGREGATE Tank;\nCREATE PROJECTION P AS SELECT seq FROM prod."Tank$Events";',
  }),
  E0620: entry<{ depth: number }>({
    severity: 'error',
    title: 'query too deep',
    message: (p) => `this query is nested more than ${p.depth} levels deep`,
    explanation: 'Deep nesting is refused so that a text cannot exhaust the compiler. WITH tables keep queries flat.',
    takes: 'a query over HTTP with more levels of parentheses and subqueries than http.limits allows',
  }),
} as const;
